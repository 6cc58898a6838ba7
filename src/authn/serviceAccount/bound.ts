/** The validity of a requested token: its time, its account, and the object that it is bound to. */
import { getOwn } from '../../std/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import type { ServiceAccountOptions, Validation, Validator } from './validator.ts';
import { readBoundClaims } from './names.ts';
import type { BoundRef } from './names.ts';

/** The tolerance for clock differences. */
const LEEWAY_MS = 60_000;

export function boundValidator(options: ServiceAccountOptions): Validator {
  return (claims) => {
    const now = options.clock.now();
    const untimely = outsideTime(claims, now);
    if (untimely !== undefined) return { why: untimely };
    const bound = readBoundClaims(getOwn(claims, options.names.label));
    if (!bound) return { why: 'the token has no private claims' };
    const { namespace, serviceaccount: account, pod, secret } = bound;
    const problem =
      checkAccount(options.objects.serviceAccount(namespace, account.name), namespace, account, now) ??
      checkBinding(options, namespace, pod, secret, now);
    return problem ?? { namespace, name: account.name, uid: account.uid, ...(pod ? { pod } : {}) };
  };
}

/** The error in the token's times. */
function outsideTime(claims: Readonly<Record<string, unknown>>, now: number): string | undefined {
  const at = (claim: string): number | undefined => {
    const seconds = getOwn(claims, claim);
    return typeof seconds === 'number' ? seconds * 1000 : undefined;
  };
  const [expires, notBefore, issued] = [at('exp'), at('nbf'), at('iat')];
  if (expires !== undefined && now - LEEWAY_MS > expires) return 'Token has expired.';
  const early = [notBefore, issued].some((time) => time !== undefined && now + LEEWAY_MS < time);
  return early ? 'Token could not be validated.' : undefined;
}

type Problem = Extract<Validation, { why: string }> | undefined;

function checkAccount(account: ApiObject | undefined, namespace: string, claimed: BoundRef, now: number): Problem {
  if (!account) return { why: `serviceaccounts ${JSON.stringify(claimed.name)} not found` };
  if (isGone(account, now)) return { why: `ServiceAccount ${namespace}/${claimed.name} has been deleted` };
  if (account.metadata.uid !== claimed.uid)
    return { why: `ServiceAccount UID (${account.metadata.uid ?? ''}) does not match claim (${claimed.uid})` };
  return undefined;
}

function checkBinding(
  { objects }: ServiceAccountOptions,
  namespace: string,
  pod: BoundRef | undefined,
  secret: BoundRef | undefined,
  now: number,
): Problem {
  const bound = secret ? objects.secret(namespace, secret.name) : pod ? objects.pod(namespace, pod.name) : undefined;
  const claimed = secret ?? pod;
  if (!claimed) return undefined;
  if (!bound || isGone(bound, now)) return { why: 'Token has been invalidated' };
  const kind = secret ? 'Secret' : 'Pod';
  return bound.metadata.uid === claimed.uid
    ? undefined
    : { why: `${kind} UID (${bound.metadata.uid ?? ''}) does not match claim (${claimed.uid})` };
}

/** An object that is being deleted counts as deleted once its deletion time has passed by more than the tolerance. */
function isGone(object: ApiObject, now: number): boolean {
  const deleted = object.metadata.deletionTimestamp;
  return deleted !== undefined && Date.parse(deleted) < now - LEEWAY_MS;
}
