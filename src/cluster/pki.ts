/**
 * The cluster's own keys: its certificate authority and the key that signs tokens of service accounts. They are made when
 * a cluster has none, kept in its storage, and stand among its files, so that flags name them like any other.
 */
import { createAuthorityFiles, exportPrivateKey, exportPublicKey, type KeyMaker } from '../authn/index.ts';
import type { Names } from '../names/index.ts';
import type { Clock, Random } from '../std/index.ts';
import type { Storage } from '../storage/index.ts';

export type Files = Readonly<Record<string, string>>;

/** The names of these files; flags that nobody gives are supplied with them. */
export const PKI = {
  authority: 'pki/ca.crt',
  authorityKey: 'pki/ca.key',
  accounts: 'pki/sa.pub',
  accountsKey: 'pki/sa.key',
} as const;

/** Outside the registry: no request can read it. */
/** Keys that no request can read, and whose values exports hide. */
export const OWN_PREFIX = '/vitrine/';

/** Whether a key of storage is one of the cluster's own, such as that of its authority. */
export const isOwnKey = (key: string): boolean => key.startsWith(OWN_PREFIX);

export interface PkiDeps {
  readonly names: Names;
  readonly clock: Clock;
  readonly random: Random;
  readonly keyMaker: KeyMaker;
  readonly storage: Storage;
}

/** The given files, and the cluster's own where they are not among them. */
export async function withOwnFiles(files: Files, deps: PkiDeps): Promise<Files> {
  const known = storedFiles(deps.storage);
  const missing = Object.values(PKI).filter((path) => files[path] === undefined && known[path] === undefined);
  if (missing.length === 0) return { ...known, ...files };
  const made = await makeFiles(deps);
  const wanted = Object.entries(made).filter(([path]) => missing.includes(path as (typeof missing)[number]));
  const kept = await deps.storage.commit(
    wanted.map(([path, value]) => ({ type: 'put', key: OWN_PREFIX + path, value, expect: 0 })),
  );
  // Another server of the same storage was first: its keys are the cluster's.
  if (!kept.ok) return withOwnFiles(files, deps);
  return { ...Object.fromEntries(wanted), ...known, ...files };
}

function storedFiles(storage: Storage): Files {
  const paths = Object.values(PKI).map((path) => [path, storage.get(OWN_PREFIX + path)?.value] as const);
  return Object.fromEntries(paths.filter((pair): pair is [(typeof pair)[0], string] => pair[1] !== undefined));
}

/** Tokens are signed by RSA, since every verifier in the field reads that; with a seed by an elliptic curve. */
async function makeFiles({ names, clock, random, keyMaker }: PkiDeps): Promise<Files> {
  const [authority, accounts] = await Promise.all([
    createAuthorityFiles(names.fill('{product}-ca'), { clock, random, keyMaker }),
    keyMaker.generate('RSA'),
  ]);
  return {
    [PKI.authority]: authority.certificate,
    [PKI.authorityKey]: authority.key,
    [PKI.accounts]: await exportPublicKey(accounts.publicKey),
    [PKI.accountsKey]: await exportPrivateKey(accounts.privateKey),
  };
}

/** A text that the cluster keeps for itself, outside of what requests can read. */
export function keptText(
  storage: Storage,
  path: string,
): { readonly read: () => string | undefined; readonly write: (text: string) => Promise<void> } {
  const key = OWN_PREFIX + path;
  return {
    read: () => storage.get(key)?.value,
    write: async (value) => void (await storage.commit([{ type: 'put', key, value }])),
  };
}
