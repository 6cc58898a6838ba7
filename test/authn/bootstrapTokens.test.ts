import { describe, expect, it } from 'vitest';
import { manualClock, rfc3339 } from '../../src/std/index.ts';
import { chain, get, secret, shown } from './helpers.ts';

const START = Date.UTC(2026, 0, 1);
const TYPE = 'bootstrap.kubernetes.io/token';
const GOOD = { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-authentication': 'true' };
const USER = 'system:bootstrap:abcdef';

function ask(
  data: Record<string, string>,
  token = 'abcdef.0123456789abcdef',
  type = TYPE,
  deleted = false,
): Promise<string> {
  const object = secret('kube-system', 'bootstrap-token-abcdef', type, data);
  if (deleted) object.metadata.deletionTimestamp = rfc3339(START);
  const getSecret = (name: string) => (name === object.metadata.name ? object : undefined);
  return chain({ clock: manualClock(START), bootstrap: { getSecret } })
    .authenticate(get(token))
    .then(shown);
}

describe('bootstrap tokens (specification, Secrets and service accounts)', () => {
  it.each<[string, Record<string, string>, string]>([
    ['as they should be', GOOD, `${USER} [system:bootstrappers, system:authenticated]`],
    [
      'with groups',
      { ...GOOD, 'auth-extra-groups': 'system:bootstrappers:worker,system:bootstrappers:a' },
      `${USER} [system:bootstrappers, system:bootstrappers:a, system:bootstrappers:worker, system:authenticated]`,
    ],
    [
      'with a group that is not theirs',
      { ...GOOD, 'auth-extra-groups': 'system:bootstrappers:ok,system:masters' },
      'refused',
    ],
    [
      'with time left',
      { ...GOOD, expiration: '2026-01-01T00:00:01Z' },
      `${USER} [system:bootstrappers, system:authenticated]`,
    ],
    [
      'with time left in another zone',
      { ...GOOD, expiration: '2026-01-01T02:00:01+02:00' },
      `${USER} [system:bootstrappers, system:authenticated]`,
    ],
    ['that have expired', { ...GOOD, expiration: '2025-12-31T23:59:59Z' }, 'refused'],
    ['whose end cannot be read', { ...GOOD, expiration: 'tomorrow' }, 'refused'],
    ['not for authentication', { ...GOOD, 'usage-bootstrap-authentication': 'false' }, 'refused'],
    ['that say nothing of authentication', { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef' }, 'refused'],
    ['with another id', { ...GOOD, 'token-id': 'fedcba' }, 'refused'],
    ['with another secret', { ...GOOD, 'token-secret': 'fedcba9876543210' }, 'refused'],
    ['without a secret', { ...GOOD, 'token-secret': '' }, 'refused'],
  ])('%s → %s', async (_what, data, expected) => {
    expect(await ask(data)).toBe(expected);
  });

  it.each(['abcdef.0123456789abcde', 'ABCDEF.0123456789abcdef', 'abcdef0123456789abcdef', 'xxxxxx.0123456789abcdef'])(
    '%s is no such token',
    async (token) => {
      expect(await ask(GOOD, token)).toBe('refused');
    },
  );

  it('of another type, or being deleted, are refused', async () => {
    expect(await ask(GOOD, undefined, 'Opaque')).toBe('refused');
    expect(await ask(GOOD, undefined, TYPE, true)).toBe('refused');
  });
});
