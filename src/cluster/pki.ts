/**
 * The cluster's own keys: its CA and the key that signs service account tokens. They are created if missing, stored in
 * its storage, and listed among its files, so that flags can name them.
 */
import {
  createAuthorityFiles,
  exportPrivateKey,
  exportPublicKey,
  type AuthorityFiles,
  type KeyKind,
  type KeyMaker,
} from '../authn/index.ts';
import type { Names } from '../names/index.ts';
import type { Clock, Random } from '../std/index.ts';
import type { Storage } from '../storage/index.ts';

export type Files = Readonly<Record<string, string>>;

/** The names of these files; the defaults of flags. */
export const PKI = {
  authority: 'pki/ca.crt',
  authorityKey: 'pki/ca.key',
  accounts: 'pki/sa.pub',
  accountsKey: 'pki/sa.key',
} as const;

/** The files of the cluster's CA: its own, or those that were given instead. */
export const ownAuthority = ({ files }: { readonly files: Files }): AuthorityFiles => ({
  certificate: files[PKI.authority] ?? '',
  key: files[PKI.authorityKey] ?? '',
});

/** Keys outside of the registry: no request can read them, and exports hide their values. */
export const OWN_PREFIX = '/vitrine/';

/** Whether a storage key is one of the cluster's own, such as that of its CA. */
export const isOwnKey = (key: string): boolean => key.startsWith(OWN_PREFIX);

export interface PkiDeps {
  readonly names: Names;
  readonly clock: Clock;
  readonly random: Random;
  readonly keyMaker: KeyMaker;
  readonly storage: Storage;
  readonly signingKey?: KeyKind | undefined;
}

/** The given files, plus the cluster's own if they are missing. */
export async function withOwnFiles(files: Files, deps: PkiDeps): Promise<Files> {
  const known = storedFiles(deps.storage);
  const missing = Object.values(PKI).filter((path) => files[path] === undefined && known[path] === undefined);
  if (missing.length === 0) return { ...known, ...files };
  const made = await makeFiles(deps);
  const wanted = Object.entries(made).filter(([path]) => missing.includes(path as (typeof missing)[number]));
  const kept = await deps.storage.commit(
    wanted.map(([path, value]) => ({ type: 'put', key: OWN_PREFIX + path, value, expect: 0 })),
  );
  // Another server of the same storage was first: its keys are used.
  if (!kept.ok) return withOwnFiles(files, deps);
  return { ...Object.fromEntries(wanted), ...known, ...files };
}

function storedFiles(storage: Storage): Files {
  const paths = Object.values(PKI).map((path) => [path, storage.get(OWN_PREFIX + path)?.value] as const);
  return Object.fromEntries(paths.filter((pair): pair is [(typeof pair)[0], string] => pair[1] !== undefined));
}

/** Tokens are signed with RSA unless told; with a seed by an elliptic curve. */
async function makeFiles({ names, clock, random, keyMaker, signingKey = 'RSA' }: PkiDeps): Promise<Files> {
  const [authority, accounts] = await Promise.all([
    createAuthorityFiles(names.fill('{product}-ca'), { clock, random, keyMaker }),
    keyMaker.generate(signingKey),
  ]);
  return {
    [PKI.authority]: authority.certificate,
    [PKI.authorityKey]: authority.key,
    [PKI.accounts]: await exportPublicKey(accounts.publicKey),
    [PKI.accountsKey]: await exportPrivateKey(accounts.privateKey),
  };
}

/** A text of the cluster itself, which requests can't read. */
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
