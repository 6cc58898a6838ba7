/** The decisions of the token controller. */
import { namespaceOf, identityOf } from '../../client/index.ts';
import type { Secret, ServiceAccount } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { encodeText, toBase64, getOwn } from '../../std/index.ts';

/** The names in secrets of accounts. */
export interface TokenNames {
  readonly type: string;
  readonly account: string;
  readonly uid: string;
}

export function tokenNames(names: Names): TokenNames {
  return {
    type: names.fill('{label}/service-account-token'),
    account: names.fill('{label}/service-account.name'),
    uid: names.fill('{label}/service-account.uid'),
  };
}

export const isTokenSecret = (secret: Secret, names: TokenNames): boolean => secret.type === names.type;

/** The account of a token secret; an empty uid matches any account of that name. */
export function accountOf(secret: Secret, names: TokenNames): { readonly name: string; readonly uid: string } {
  const annotations = secret.metadata.annotations ?? {};
  return { name: getOwn(annotations, names.account) ?? '', uid: getOwn(annotations, names.uid) ?? '' };
}

export function belongsTo(
  secret: Secret,
  account: ServiceAccount | undefined,
  names: TokenNames,
): account is ServiceAccount {
  const { name, uid } = accountOf(secret, names);
  return account?.metadata.name === name && (uid === '' || uid === account.metadata.uid);
}

/** The names of the secrets that an account lists. */
export const listed = (account: ServiceAccount): readonly string[] =>
  (account.secrets ?? []).map(({ name }) => name ?? '');

/** Whether a secret is a token of exactly this account. */
export function isTokenOf(secret: Secret | undefined, account: ServiceAccount, names: TokenNames): boolean {
  if (!secret || !isTokenSecret(secret, names)) return false;
  const { name, uid } = accountOf(secret, names);
  return name === account.metadata.name && uid === account.metadata.uid;
}

/** The secret with missing data added, or undefined if it is complete. `makeToken` is called only when needed. */
export async function completed(
  secret: Secret,
  account: ServiceAccount,
  names: TokenNames,
  rootCA: string | undefined,
  makeToken: () => Promise<string>,
): Promise<Secret | undefined> {
  const data = { ...secret.data };
  const authority = rootCA && base64(rootCA);
  const isComplete = (authority === undefined || data['ca.crt'] === authority) && data.namespace && data.token;
  if (isComplete) return undefined;
  if (authority !== undefined) data['ca.crt'] = authority;
  data.namespace ||= base64(namespaceOf(secret));
  data.token ||= base64(await makeToken());
  const { name, uid } = identityOf(account);
  const annotations = { ...secret.metadata.annotations, [names.account]: name, [names.uid]: uid };
  return { ...secret, data, metadata: { ...secret.metadata, annotations } };
}

const base64 = (text: string): string => toBase64(encodeText(text));
