import { describe, expect, it } from 'vitest';
import type { Secret } from '../../src/client/index.ts';
import { detachedSignature, planSignatures } from '../../src/controllers/bootstrap/signer.ts';
import { expiryOf, signingToken } from '../../src/controllers/bootstrap/tokens.ts';
import { namesOf } from '../../src/names/index.ts';
import { encodeText, toBase64 } from '../../src/std/index.ts';

const names = namesOf('k8s.io');
const NOW = Date.UTC(2026, 0, 1);
const GOOD = { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-signing': 'true' };

function secret(
  data: Record<string, string>,
  more: Partial<{ name: string; namespace: string; type: string }> = {},
): Secret {
  const { name = 'bootstrap-token-abcdef', namespace = 'kube-system', type = 'bootstrap.kubernetes.io/token' } = more;
  const encoded = Object.entries(data).map(([key, value]) => [key, toBase64(encodeText(value))]);
  return {
    metadata: { name, namespace, creationTimestamp: null },
    type,
    data: Object.fromEntries(encoded) as Record<string, string>,
  };
}

describe('tokens that sign', () => {
  it.each<[string, Secret, boolean]>([
    ['one that may', secret(GOOD), true],
    ['one that may not', secret({ ...GOOD, 'usage-bootstrap-signing': 'false' }), false],
    ['one that says nothing of it', secret({ 'token-id': 'abcdef', 'token-secret': 'x' }), false],
    ['one that has expired', secret({ ...GOOD, expiration: '2025-12-31T00:00:00Z' }), false],
    ['one with time left', secret({ ...GOOD, expiration: '2026-01-02T00:00:00Z' }), true],
    ['one whose name is another', secret(GOOD, { name: 'bootstrap-token-fedcba' }), false],
    ['one whose id is none', secret({ ...GOOD, 'token-id': 'ABCDEFG' }, { name: 'bootstrap-token-ABCDEFG' }), false],
    ['one that ends now', secret({ ...GOOD, expiration: '2026-01-01T00:00:00Z' }), false],
    ['one in another namespace', secret(GOOD, { namespace: 'default' }), false],
    ['one of another type', secret(GOOD, { type: 'Opaque' }), false],
    ['one without a secret', secret({ ...GOOD, 'token-secret': '' }), false],
  ])('%s', (_what, one, signs) => {
    expect(signingToken(one, names, NOW) !== undefined).toBe(signs);
  });

  it('expire at their time, never without one, at once with an invalid one', () => {
    expect(
      [undefined, '2026-01-02T00:00:00Z', 'soon'].map((expiration) =>
        expiryOf(secret(expiration === undefined ? {} : { expiration })),
      ),
    ).toEqual([Infinity, Date.UTC(2026, 0, 2), -Infinity]);
  });
});

describe('the signatures of cluster-info', () => {
  const token = { id: 'abcdef', secret: '0123456789abcdef' };

  it('are detached, and valid for the content inserted between the dots', async () => {
    const [header = '', payload, signature = ''] = (await detachedSignature('content', token)).split('.');
    expect(payload).toBe('');
    expect(JSON.parse(atob(header))).toEqual({ alg: 'HS256', kid: 'abcdef' });
    const key = await crypto.subtle.importKey(
      'raw',
      encodeText(token.secret),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['verify'],
    );
    const bytes = Uint8Array.from(atob(signature.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const signed = (content: string) =>
      crypto.subtle.verify('HMAC', key, bytes, encodeText(`${header}.${btoa(content).replace(/=+$/, '')}`));
    expect([await signed('content'), await signed('changed')]).toEqual([true, false]);
  });

  it('are those of the tokens and no others', async () => {
    const data = await planSignatures({ kubeconfig: 'x', other: 'kept', 'jws-kubeconfig-gone00': 'old' }, [token]);
    expect(Object.keys(data ?? {}).sort()).toEqual(['jws-kubeconfig-abcdef', 'kubeconfig', 'other']);
  });

  it('are not created without content', async () => {
    expect(await planSignatures({ other: 'x' }, [token])).toBeUndefined();
  });
});
