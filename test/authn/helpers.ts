/** Clusters' keys, certificates and requests, for the tables of these tests. */
import {
  createAuthentication,
  createAuthorityFiles,
  encodePem,
  generateKeys,
  openAuthority,
  pemBodies,
} from '../../src/authn/index.ts';
import type { Authentication, AuthenticationConfig, Authority } from '../../src/authn/index.ts';
import { namesOf } from '../../src/names/index.ts';
import type { ApiObject } from '../../src/schema/index.ts';
import { encodeText, manualClock, seededRandom, toBase64 } from '../../src/std/index.ts';

export const names = namesOf('k8s.io');
export const DAY_MS = 24 * 3600_000;

export async function authority(name: string, clock = manualClock()): Promise<Authority> {
  const deps = { clock, random: seededRandom(name) };
  return openAuthority(await createAuthorityFiles(name, deps), deps);
}

/** A key, and a certificate for it. */
export async function client(
  by: Authority,
  commonName: string,
  organizations: string[] = [],
  usages = ['client auth'],
  durationMs = DAY_MS,
): Promise<{ pem: string; ders: Uint8Array[]; key: CryptoKey }> {
  const keys = await generateKeys('EC');
  const pem = await by.issue({ commonName, organizations }, keys.publicKey, { usages, durationMs });
  return { pem, ders: pemBodies(pem, 'CERTIFICATE'), key: keys.privateKey };
}

export function get(token?: string, headers: Record<string, string> = {}): Request {
  return new Request('https://cluster.test/api', {
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
  });
}

/** A chain with nothing but what the test names; anonymous is on. */
export function chain(config: Partial<AuthenticationConfig> = {}): ReturnType<typeof createAuthentication> {
  return createAuthentication({
    names,
    clock: manualClock(),
    audiences: ['https://cluster'],
    anonymous: true,
    ...config,
  });
}

/** `name [group, …]`, or `refused`. */
export function shown({ user }: Authentication): string {
  return user ? `${user.name} [${user.groups.join(', ')}]` : 'refused';
}

export function secret(
  namespace: string,
  name: string,
  type: string,
  data: Record<string, string>,
  uid = `uid-${name}`,
): ApiObject {
  const encoded = Object.entries(data).map(([key, value]) => [key, toBase64(encodeText(value))]);
  return {
    metadata: { name, namespace, uid, creationTimestamp: null },
    type,
    data: Object.fromEntries(encoded) as Record<string, string>,
  };
}

export { encodePem };
