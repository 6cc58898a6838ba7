/** Pull secrets: a pod's credentials for private registries. */
import { secrets as secretsRef, type Pod, type Secret } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { canonicalImage, deniedText, isPrivate } from '../../programs/index.ts';
import { isReason } from '../../schema/index.ts';
import { decodeText, fromBase64, getOwn, isObject, trimRight } from '../../std/index.ts';
import type { AgentEnvironment } from './environment.ts';

interface Login {
  readonly user: string;
  readonly password: string;
}

/** The password that simulated registries refuse. */
const WRONG = 'wrong';

/** Why the registry refuses an image to the pod; undefined if it permits it. Only private registries check. */
export async function refusalOf(image: string, pod: Pod, environment: AgentEnvironment): Promise<string | undefined> {
  if (!isPrivate(image)) return undefined;
  const logins: Login[] = [];
  for (const { name = '' } of pod.spec.imagePullSecrets ?? []) {
    const secret = await secretOf(pod, name, environment);
    if (secret) logins.push(...loginsFor(image, secret, environment.names));
  }
  if (logins.length === 0) return deniedText(image, true);
  return logins.some(({ password }) => password !== WRONG) ? undefined : deniedText(image, false);
}

/** A missing secret is skipped: the pull may succeed without it. */
async function secretOf(pod: Pod, name: string, { client, onProblem }: AgentEnvironment): Promise<Secret | undefined> {
  const { namespace, name: podName } = pod.metadata;
  if (name === '') return undefined;
  try {
    return await client.of(secretsRef).get(name, namespace);
  } catch (problem) {
    if (!isReason(problem, 'NotFound') && !isReason(problem, 'Forbidden')) throw problem;
    const why = `Unable to retrieve pull secret ${namespace}/${name} for ${namespace}/${podName}. The image pull may not succeed.`;
    onProblem(`${namespace}/${podName}`, why);
    return undefined;
  }
}

/** The logins in a secret for the registry of an image. */
export function loginsFor(image: string, { type, data }: Secret, names: Names): Login[] {
  const entries = registriesOf(type ?? '', data ?? {}, names);
  return Object.entries(entries).flatMap(([registry, entry]) => {
    const login = isFor(registry, image) ? loginOf(entry) : undefined;
    return login ? [login] : [];
  });
}

function registriesOf(type: string, data: Readonly<Record<string, string>>, names: Names): Record<string, unknown> {
  const isNew = type === names.fill('{label}/dockerconfigjson');
  if (!isNew && type !== names.fill('{label}/dockercfg')) return {};
  const config = jsonOf(getOwn(data, isNew ? '.dockerconfigjson' : '.dockercfg') ?? '');
  const entries = isNew && isObject(config) ? getOwn(config, 'auths') : config;
  return isObject(entries) ? entries : {};
}

function jsonOf(base64: string): unknown {
  try {
    return JSON.parse(decodeText(fromBase64(base64) ?? new Uint8Array())) as unknown;
  } catch {
    return undefined;
  }
}

/** A login has separate fields, or is `user:password` in base64. */
function loginOf(entry: unknown): Login | undefined {
  if (!isObject(entry)) return undefined;
  const text = (field: string): string => {
    const value = getOwn(entry, field);
    return typeof value === 'string' ? value : '';
  };
  const encoded = decodeText(fromBase64(text('auth')) ?? new Uint8Array());
  const at = encoded.indexOf(':');
  const user = text('username') || (at > 0 ? encoded.slice(0, at) : '');
  const password = text('password') || (at > 0 ? encoded.slice(at + 1).replace(/\0+$/, '') : '');
  return user === '' || password === '' ? undefined : { user, password };
}

/**
 * Whether a login applies to an image: same host, and its path is a prefix of the image's, even within a path segment:
 * `gcr.io`, `https://gcr.io/v1/`, `gcr.io/project`, `*.example.com`.
 */
export function isFor(registry: string, image: string): boolean {
  const bare = registry.replace(/^https?:\/\//, '').replace(/\/v[12]\/?$/, '');
  const [host, path] = splitHost(trimRight(bare, '/'));
  const [imageHost, imagePath] = splitHost(canonicalImage(image));
  const hosts = imageHost === 'docker.io' ? ['docker.io', 'index.docker.io'] : [imageHost];
  return hosts.some((each) => matchesHost(host, each)) && imagePath.startsWith(path);
}

/** The host and the remaining path with its slash. */
function splitHost(name: string): readonly [host: string, path: string] {
  const at = name.indexOf('/');
  return at < 0 ? [name, ''] : [name.slice(0, at), name.slice(at)];
}

/** Each part of a host name may contain a star; the port has to be equal. */
function matchesHost(pattern: string, host: string): boolean {
  const [parts, wanted] = [host.split(/[.:]/), pattern.split(/[.:]/)];
  if (parts.length !== wanted.length || pattern.includes(':') !== host.includes(':')) return false;
  return wanted.every((glob, i) => matchesPart(glob, parts[i] ?? ''));
}

function matchesPart(glob: string, part: string): boolean {
  const pieces = glob.split('*');
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)];
  if (pieces.length === 1) return glob === part;
  if (!part.startsWith(first) || !part.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = part.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= part.length - last.length;
}
