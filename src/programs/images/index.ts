import { SystemError } from '../errors.ts';
import { Device, Tree } from '../files/index.ts';
import { images, unknown } from './table.ts';
import type { Image } from './image.ts';

/** `docker.io/library/nginx:1.19@sha256:…` is known as `nginx`. */
function baseName(reference: string): string {
  const path = reference.split('@')[0] ?? '';
  const last = path.slice(path.lastIndexOf('/') + 1);
  return last.split(':')[0] ?? '';
}

const layers = new WeakMap<Image, Tree>();

/** The files of an image, made once: containers have copies. */
export function layerOf(image: Image): Tree {
  const known = layers.get(image);
  if (known) return known;
  const layer = new Tree(new Device('overlay', 'overlay', Infinity), () => 0);
  image.fill(layer);
  layers.set(image, layer);
  return layer;
}

/** So many combinations of mount points are kept of an image. */
const MOST_PLACES = 50;
const places = new WeakMap<Tree, Map<string, Tree>>();

/**
 * The files of an image with directories for mounts, made once for all containers that have the same ones. A mount that lies over
 * a file of the image, or below one, needs none.
 */
export function layerWith(image: Image, paths: readonly string[]): Tree {
  const layer = layerOf(image);
  const known = places.get(layer) ?? new Map<string, Tree>();
  places.set(layer, known);
  const key = paths.join('\n');
  const found = known.get(key);
  if (found) return found;
  const made = new Tree(new Device('overlay', 'overlay', Infinity), () => 0, 0o755, layer);
  for (const path of paths) makeMountPoint(made, path);
  if (known.size >= MOST_PLACES) known.clear();
  known.set(key, made);
  return made;
}

function makeMountPoint(tree: Tree, path: string): void {
  try {
    tree.directory(path);
  } catch (problem) {
    if (!(problem instanceof SystemError)) throw problem;
  }
}

/** What an image brings. */
export function imageOf(reference: string): Image {
  const name = baseName(reference);
  return Object.hasOwn(images, name) ? (images[name] as Image) : unknown;
}

/** Milliseconds that a pull takes. */
export const pullTime = ({ size }: Image): number => 150 + Math.round((size / (200 * 1024 * 1024)) * 1000);

/** Tags and names that no registry of the simulation has. */
const UNKNOWN_IMAGE =
  /does-?not-?exist|non-?existent|no-such|\.invalid(:\d+)?\/|^invalid\.com\/|invalid[.-]registry|:nope$|:missing$|:wrong$|:404$|:bad$|:invalid$/;

/** Why an image can't be pulled; undefined where it can. */
export function pullProblem(reference: string): string | undefined {
  if (!UNKNOWN_IMAGE.test(reference)) return undefined;
  const name = JSON.stringify(canonicalImage(reference));
  return `rpc error: code = NotFound desc = failed to pull and unpack image ${name}: failed to resolve reference ${name}: ${canonicalImage(reference)}: not found`;
}

/** Registries, and folders of them, that give their images only to those whom they know. */
const PRIVATE = /^private[.:-]|^registry\.private\.|\/(private|authenticated-image-pulling)\//;

/** Whether pulling an image needs credentials. */
export const isPrivate = (reference: string): boolean => PRIVATE.test(canonicalImage(reference));

/** Why a private image can't be pulled without credentials, or with invalid ones. */
export function deniedText(reference: string, isUnknown: boolean): string {
  const name = JSON.stringify(canonicalImage(reference));
  const why = isUnknown
    ? 'pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed'
    : 'failed to authorize: failed to fetch oauth token: unexpected status: 401 Unauthorized';
  return `rpc error: code = Unknown desc = failed to pull and unpack image ${name}: failed to resolve reference ${name}: ${why}`;
}

/** The full name under which an image is pulled: `nginx` is `docker.io/library/nginx:latest`. */
export function canonicalImage(reference: string): string {
  const [first = '', ...rest] = reference.split('/');
  const hasRegistry = rest.length > 0 && (first.includes('.') || first.includes(':') || first === 'localhost');
  const path = hasRegistry ? reference : rest.length > 0 ? `docker.io/${reference}` : `docker.io/library/${reference}`;
  const isTagged = path.slice(path.lastIndexOf('/') + 1).includes(':') || path.includes('@');
  return isTagged ? path : `${path}:latest`;
}

export { residentMemory, type Image } from './image.ts';
export { kernelFiles } from './kernelFiles.ts';
export { base, devices } from './layers.ts';
