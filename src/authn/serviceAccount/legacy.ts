/** The validity of a token from a secret. */
import { getOwn } from '../../std/index.ts';
import { equalSecrets, textOfData } from '../secrets.ts';
import type { ServiceAccountOptions, Validation, Validator } from './validator.ts';
import { legacyClaims, splitAccountUsername } from './names.ts';

/** With `lookup`, the secret has to exist with this token, and the account with the same uid. */
export function legacyValidator(options: ServiceAccountOptions & { readonly lookup: boolean }): Validator {
  const names = legacyClaims(options.names);
  return (claims, token) => {
    const text = (claim: string): string => {
      const value = getOwn(claims, claim);
      return typeof value === 'string' ? value : '';
    };
    const found = {
      namespace: text(names.namespace),
      secret: text(names.secret),
      name: text(names.account),
      uid: text(names.uid),
    };
    if (text('sub') === '') return { why: 'sub claim is missing' };
    for (const [part, value] of Object.entries(found)) if (value === '') return { why: `${part} claim is missing` };
    const subject = splitAccountUsername(text('sub'));
    if (subject?.namespace !== found.namespace || subject.name !== found.name) return { why: 'sub claim is invalid' };
    return (
      (options.lookup ? invalidated(options, found, token) : undefined) ?? {
        namespace: found.namespace,
        name: found.name,
        uid: found.uid,
      }
    );
  };
}

interface Claimed {
  readonly namespace: string;
  readonly secret: string;
  readonly name: string;
  readonly uid: string;
}

function invalidated(
  { objects }: ServiceAccountOptions,
  claimed: Claimed,
  token: string,
): Extract<Validation, { why: string }> | undefined {
  const secret = objects.secret(claimed.namespace, claimed.secret);
  if (!secret || secret.metadata.deletionTimestamp !== undefined) return { why: 'Token has been invalidated' };
  if (!equalSecrets(textOfData(secret, 'token') ?? '', token)) return { why: 'Token does not match server’s copy' };
  const account = objects.serviceAccount(claimed.namespace, claimed.name);
  if (!account || account.metadata.deletionTimestamp !== undefined)
    return { why: `ServiceAccount ${claimed.namespace}/${claimed.name} has been deleted` };
  if (account.metadata.uid !== claimed.uid)
    return { why: `ServiceAccount UID (${account.metadata.uid ?? ''}) does not match claim (${claimed.uid})` };
  return undefined;
}
