import { serves, type Image } from './program.ts';
import { runCommand } from './shell.ts';
import { images } from './table.ts';

const MB = 1024 * 1024;

/** Any image that isn't in the table: a server, unless the container gives it a shell to run. */
const unknown: Image = {
  size: 60 * MB,
  run: ({ command, args, env }) => (isShellWork(command) ? runCommand([...command, ...args], env) : serves()),
};

const SHELL_WORK = /(^|\/)(sh|bash|ash|dash|sleep|echo|true|false|exit|printf)$/;

function isShellWork(command: readonly string[]): boolean {
  return SHELL_WORK.test(command[0] ?? '');
}

/** `docker.io/library/nginx:1.19@sha256:…` is known as `nginx`. */
function baseName(reference: string): string {
  const path = reference.split('@')[0] ?? '';
  const last = path.slice(path.lastIndexOf('/') + 1);
  return last.split(':')[0] ?? '';
}

/** How an image behaves. */
export function imageOf(reference: string): Image {
  const name = baseName(reference);
  return Object.hasOwn(images, name) ? (images[name] as Image) : unknown;
}

/** Why an image can't be had; undefined where it can. */
export function pullProblem(reference: string): string | undefined {
  if (!/^[a-z0-9]+([._:/@-]*[a-zA-Z0-9_]+)*$/.test(reference))
    return `couldn't parse image reference ${JSON.stringify(reference)}: invalid reference format`;
  const absent = /does-?not-?exist|non-?existent|no-such|\.invalid(:\d+)?\/|:nope$|:missing$|:wrong$/.test(reference);
  return absent
    ? `rpc error: code = NotFound desc = failed to pull and unpack image ${JSON.stringify(canonicalImage(reference))}: not found`
    : undefined;
}

/** The full name under which an image is pulled: `nginx` is `docker.io/library/nginx:latest`. */
export function canonicalImage(reference: string): string {
  const [first = '', ...rest] = reference.split('/');
  const hasRegistry = rest.length > 0 && (first.includes('.') || first.includes(':') || first === 'localhost');
  const path = hasRegistry ? reference : rest.length > 0 ? `docker.io/${reference}` : `docker.io/library/${reference}`;
  const isTagged = path.slice(path.lastIndexOf('/') + 1).includes(':') || path.includes('@');
  return isTagged ? path : `${path}:latest`;
}

/** Milliseconds that a pull takes. */
export function pullTime(image: Image): number {
  return 150 + Math.round((image.size / (200 * MB)) * 1000);
}

export { nextOutput, outputUntil, type Image, type Invocation, type Line, type Program } from './program.ts';
