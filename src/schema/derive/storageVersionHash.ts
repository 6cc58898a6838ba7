/** The storage version in discovery: a hash, so that nobody depends on its name. */
import { encodeText, inOneTurn, isObject, toBase64 } from '../../std/index.ts';
import type { Resource, Scheme } from './scheme.ts';

export type StorageHashes = ReadonlyMap<Resource, string>;

/** Hashes that are known, by what they are hashes of. */
const known = new Map<string, string>();

/** The hash of each stored resource of a group's version. */
export async function storageVersionHashes(scheme: Scheme, group: string, version: string): Promise<StorageHashes> {
  const stored = scheme.resources({ group, version }).filter(({ verbs }) => verbs.includes('watch'));
  const hash = async (resource: Resource) => [resource, await hashOf(nameOf(resource))] as const;
  return new Map(await inOneTurn(() => Promise.all(stored.map(hash))));
}

/** Group, version and kind as which a resource is stored. */
function nameOf({ hub, custom }: Resource): string {
  const { group, version, kind } = hub.gvk;
  const stored = custom ? storedVersion(custom.definition) : hub.declaration.storedAs;
  return `${group}/${stored ?? version}/${kind}`;
}

function storedVersion({ spec }: { readonly [field: string]: unknown }): string | undefined {
  const versions = isObject(spec) && Array.isArray(spec['versions']) ? (spec['versions'] as unknown[]) : [];
  const name = versions.filter(isObject).find(({ storage }) => storage === true)?.['name'];
  return typeof name === 'string' ? name : undefined;
}

/** The first eight bytes of the SHA-256, in base64. */
async function hashOf(name: string): Promise<string> {
  let hash = known.get(name);
  if (hash === undefined) {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', encodeText(name)));
    known.set(name, (hash = toBase64(digest.slice(0, 8))));
  }
  return hash;
}
