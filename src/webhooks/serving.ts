/** The certificate of a user-written webhook: from its secret, or issued by the cluster's CA on first use. */
import {
  encodePem,
  exportPublicKey,
  generateKeys,
  importPublicKeys,
  pemBodies,
  readCertificate,
  textOfData,
  type Authority,
} from '../authn/index.ts';
import type { ApiObject, objects } from '../schema/index.ts';
import type { Clock } from '../std/index.ts';
import { ConnectionError } from './address.ts';
import type { WrittenWebhook } from './written.ts';

const LIFETIME_MS = 365 * 24 * 3600_000;

export interface ServingDeps {
  readonly clock: Clock;
  secret(namespace: string, name: string): objects.Secret | undefined;
  /** The cluster's CA; undefined if it has no key. */
  readonly authority: () => Promise<Authority | undefined>;
}

/** Returns the chain as DER, the webhook's certificate first. Throws ConnectionError if it has none. */
export type Certificates = (webhook: WrittenWebhook) => Promise<readonly Uint8Array[]>;

export function servingCertificates(deps: ServingDeps): Certificates {
  const issued = new Map<string, readonly Uint8Array[]>();
  return async (webhook) => {
    if (webhook.secret !== undefined) return fromSecret(webhook, webhook.secret, deps);
    const names = namesOf(webhook);
    const key = names.join();
    const known = issued.get(key);
    if (known && (await holds(known, deps.clock.now()))) return known;
    const made = await issue(names, deps);
    issued.set(key, made);
    return made;
  };
}

function namesOf({ service, namespace, hosts }: WrittenWebhook): string[] {
  const name = `${service}.${namespace}`;
  return [`${name}.svc`, name, `${name}.svc.cluster.local`, ...hosts];
}

async function holds([own]: readonly Uint8Array[], now: number): Promise<boolean> {
  if (!own) return false;
  const { notBefore, notAfter } = await readCertificate(own);
  return notBefore <= now && now <= notAfter;
}

/** The key is discarded: nothing is encrypted here, and nobody else can present a certificate. */
async function issue(names: readonly string[], { authority }: ServingDeps): Promise<readonly Uint8Array[]> {
  const by = await authority();
  if (!by) throw refused('the cluster has no authority that could issue its certificate; name a secret');
  const keys = await generateKeys('EC');
  const pem = await by.issue({ commonName: names[0] ?? '' }, keys.publicKey, {
    usages: ['digital signature', 'key encipherment', 'server auth'],
    durationMs: LIFETIME_MS,
    names: { dns: names },
  });
  return pemBodies(pem, 'CERTIFICATE');
}

/** A server does not start if its certificate does not match its key. */
async function fromSecret(
  { namespace }: WrittenWebhook,
  name: string,
  { secret }: ServingDeps,
): Promise<readonly Uint8Array[]> {
  const found = secret(namespace, name);
  if (!found) throw refused(`its secret ${namespace}/${name} does not exist`);
  const text = (key: string): string => textOfData(found as ApiObject, key) ?? '';
  const chain = pemBodies(text('tls.crt'), 'CERTIFICATE');
  const [own] = chain;
  if (!own) throw refused(`tls.crt of its secret ${namespace}/${name} holds no certificate`);
  const [key] = await importPublicKeys(text('tls.key')).catch(() => []);
  if (!key) throw refused(`tls.key of its secret ${namespace}/${name} holds no key`);
  const certified = encodePem('PUBLIC KEY', new Uint8Array((await readCertificate(own)).certificate.publicKey.rawData));
  if ((await exportPublicKey(key)) !== certified)
    throw refused(`tls: private key does not match public key in its secret ${namespace}/${name}`);
  return chain;
}

const refused = (why: string): ConnectionError =>
  new ConnectionError(`connect: connection refused (the webhook can't serve: ${why})`);
