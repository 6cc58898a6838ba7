import type { Pod, Secret } from '../../client/index.ts';
import type { objects } from '../../schema/index.ts';
import { encodeText, fromBase64 } from '../../std/index.ts';
import { fieldValue, resourceValue, type Whereabouts } from '../pod/references.ts';
import type { Configurations } from '../pod/configuration.ts';
import type { Payload } from './atomic.ts';

/** A volume that can't be set up yet; the message is for the event. */
export class VolumeProblem extends Error {
  override name = 'VolumeProblem';
}

/** A claim that can't be used yet, so its volume is not set up. */
export class ClaimProblem extends VolumeProblem {
  override name = 'ClaimProblem';
}

/** A volume that is not attached to the node yet. It is reported only after a timeout. */
export class NotAttached extends VolumeProblem {
  override name = 'NotAttached';
}

/** The sources of projections. */
export interface Sources extends Configurations {
  readonly where: () => Whereabouts;
  token(source: objects.ServiceAccountTokenProjection): Promise<string>;
}

type Files = Map<string, Payload>;

const DEFAULT_MODE = 0o644;

interface Keyed {
  readonly items?: readonly objects.KeyToPath[];
  readonly optional?: boolean;
}

/** The files of a config map, secret, downward API or projected volume. Rejects with VolumeProblem. */
export async function payloadOf(volume: objects.Volume, sources: Sources): Promise<ReadonlyMap<string, Payload>> {
  const { configMap, secret, downwardAPI, projected } = volume;
  if (secret && !secret.items?.length) {
    const object = await sources.secret(secret.secretName ?? '');
    if (object) return plainFiles(object, secret.defaultMode ?? DEFAULT_MODE);
  }
  const files: Files = new Map();
  if (configMap)
    await addConfigMap(files, configMap.name ?? '', configMap, configMap.defaultMode ?? DEFAULT_MODE, sources);
  if (secret) await addSecret(files, secret.secretName ?? '', secret, secret.defaultMode ?? DEFAULT_MODE, sources);
  if (downwardAPI) addDownward(files, downwardAPI.items ?? [], downwardAPI.defaultMode ?? DEFAULT_MODE, sources);
  for (const source of projected?.sources ?? [])
    await addProjection(files, source, projected?.defaultMode ?? DEFAULT_MODE, sources);
  return files;
}

async function addProjection(
  files: Files,
  source: objects.VolumeProjection,
  mode: number,
  sources: Sources,
): Promise<void> {
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  if (configMap) await addConfigMap(files, configMap.name ?? '', configMap, mode, sources);
  if (secret) await addSecret(files, secret.name ?? '', secret, mode, sources);
  if (downwardAPI) addDownward(files, downwardAPI.items ?? [], mode, sources);
  if (serviceAccountToken)
    files.set(serviceAccountToken.path, {
      content: encodeText(await sources.token(serviceAccountToken)),
      mode: hasOwner(sources.where().pod) ? OWNER_ONLY : mode,
    });
}

const OWNER_ONLY = 0o600;

/** Whether a token's file belongs to the group of the pod's volumes, or to the one user of all of its containers. */
function hasOwner({ spec }: Pod): boolean {
  const { fsGroup, runAsUser } = spec.securityContext ?? {};
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const users = new Set(containers.map((container) => container.securityContext?.runAsUser ?? runAsUser));
  return fsGroup !== undefined || (users.size === 1 && !users.has(undefined));
}

async function addConfigMap(files: Files, name: string, keyed: Keyed, mode: number, sources: Sources): Promise<void> {
  const object = await sources.configMap(name);
  if (!object && !keyed.optional) throw new VolumeProblem(`configmap ${JSON.stringify(name)} not found`);
  const texts = Object.entries(object?.data ?? {}).map(([key, text]) => [key, encodeText(text)] as const);
  const binaries = Object.entries(object?.binaryData ?? {}).map(([key, text]) => [key, bytesOf(text)] as const);
  addKeys(files, new Map([...texts, ...binaries]), keyed, mode, 'configmap references non-existent config key: ');
}

async function addSecret(files: Files, name: string, keyed: Keyed, mode: number, sources: Sources): Promise<void> {
  const object = await sources.secret(name);
  if (!object && !keyed.optional) throw new VolumeProblem(`secret ${JSON.stringify(name)} not found`);
  addKeys(files, object ? secretBytes(object) : new Map(), keyed, mode, 'references non-existent secret key: ');
}

type Bytes = Payload['content'];

const bytesOf = (text: string): Bytes => fromBase64(text) ?? new Uint8Array(0);

/** The data of secrets, decoded once for all pods that mount one. */
function secretBytes(secret: Secret): ReadonlyMap<string, Bytes> {
  const known =
    decoded.get(secret) ?? new Map(Object.entries(secret.data ?? {}).map(([k, text]) => [k, bytesOf(text)]));
  decoded.set(secret, known);
  return known;
}

const decoded = new WeakMap<Secret, ReadonlyMap<string, Bytes>>();

/** The files of a secret in a volume of its own, the same for all pods. */
function plainFiles(secret: Secret, mode: number): ReadonlyMap<string, Payload> {
  const known = plain.get(secret) ?? new Map<number, ReadonlyMap<string, Payload>>();
  plain.set(secret, known);
  const files = known.get(mode) ?? new Map([...secretBytes(secret)].map(([key, content]) => [key, { content, mode }]));
  known.set(mode, files);
  return files;
}

const plain = new WeakMap<Secret, Map<number, ReadonlyMap<string, Payload>>>();

function addKeys(
  files: Files,
  data: ReadonlyMap<string, Bytes>,
  { items, optional }: Keyed,
  mode: number,
  problem: string,
): void {
  if (!items || items.length === 0) for (const [key, content] of data) files.set(key, { content, mode });
  for (const { key, path, mode: own } of items ?? []) {
    const content = data.get(key);
    if (content) files.set(path, { content, mode: own ?? mode });
    else if (!optional) throw new VolumeProblem(problem + key);
  }
}

function addDownward(
  files: Files,
  items: readonly objects.DownwardAPIVolumeFile[],
  mode: number,
  { where }: Sources,
): void {
  const { pod } = where();
  const containers = [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])];
  for (const { path, fieldRef, resourceFieldRef, mode: own } of items) {
    const text = fieldRef
      ? fieldValue(fieldRef.fieldPath, where())
      : resourceFieldRef
        ? resourceValue(resourceFieldRef, containers, where(), '')
        : '';
    files.set(path, { content: encodeText(text ?? ''), mode: own ?? mode });
  }
}
