import { describe, expect, it } from 'vitest';
import { execTransport, readExecCredential, type CertificatePair, type ExecOptions } from '../../src/client/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { manualClock, rfc3339 } from '../../src/std/index.ts';

const names = namesOf('cluster.io');
const VERSION = 'client.authentication.cluster.io/v1beta1';
const printed = (status: unknown, more: object = {}): string =>
  JSON.stringify({ kind: 'ExecCredential', apiVersion: VERSION, status, ...more });

describe('what a plugin prints', () => {
  it.each<[string, string, object]>([
    ['a token', printed({ token: 't' }), { token: 't' }],
    ['a pair', printed({ clientCertificateData: 'c', clientKeyData: 'k' }), { pair: { certificate: 'c', key: 'k' } }],
    [
      'both, for a while',
      printed({
        token: 't',
        clientCertificateData: 'c',
        clientKeyData: 'k',
        expirationTimestamp: '2026-01-01T00:00:00Z',
      }),
      { token: 't', pair: { certificate: 'c', key: 'k' }, expires: Date.UTC(2026, 0, 1) },
    ],
  ])('%s', (_what, output, expected) => {
    expect(readExecCredential(output, VERSION)).toEqual(expected);
  });

  it.each<[string, string, string]>([
    ['nothing', '', 'decoding stdout'],
    ['a list', '[]', 'decoding stdout'],
    ['another kind', printed({ token: 't' }, { kind: 'Pod' }), 'kind "Pod"'],
    ['another version', printed({ token: 't' }, { apiVersion: 'x/v1' }), 'plugin returned version x/v1'],
    ['no status', printed(undefined), "didn't return a status field"],
    ['an empty status', printed({}), "didn't return a token or cert/key pair"],
    ['half a pair', printed({ token: 't', clientKeyData: 'k' }), 'only certificate or key'],
    ['a time that is none', printed({ token: 't', expirationTimestamp: 'soon' }), 'not an RFC 3339 time'],
  ])('%s is refused', (_what, output, why) => {
    expect(() => readExecCredential(output, VERSION)).toThrow(why);
  });
});

/** A plugin that prints what `next` says, and a server that answers with `status` and remembers who came. */
function world(next: (run: number) => object, more: Partial<ExecOptions> = {}) {
  const clock = manualClock();
  const seen = {
    runs: 0,
    env: {} as Readonly<Record<string, string>>,
    handshakes: [] as (CertificatePair | undefined)[],
    tokens: [] as (string | null)[],
    status: 200,
  };
  const transport = execTransport({
    names,
    clock,
    run: async ({ env }) => {
      seen.env = env;
      return printed(next(++seen.runs));
    },
    connect: (pair) => {
      seen.handshakes.push(pair);
      return async (_path, init) => {
        seen.tokens.push(new Headers(init?.headers).get('authorization'));
        return new Response(null, { status: seen.status });
      };
    },
    ...more,
  });
  return { clock, seen, transport };
}

describe('credentials of a plugin are cached', () => {
  it('permanently if they do not expire', async () => {
    const { clock, seen, transport } = world((run) => ({ token: `t${run}` }));
    await transport('/api');
    await clock.step(365 * 24 * 3600_000);
    await transport('/api');
    expect([seen.runs, seen.tokens]).toEqual([1, ['Bearer t1', 'Bearer t1']]);
  });

  it('until they expire', async () => {
    const start = manualClock().now();
    const { clock, seen, transport } = world((run) => ({
      token: `t${run}`,
      expirationTimestamp: rfc3339(start + run * 60_000),
    }));
    await transport('/api');
    await clock.step(60_000);
    await transport('/api');
    await clock.step(1_000);
    await transport('/api');
    expect(seen.tokens).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2']);
  });

  it('until the server refuses them', async () => {
    const { seen, transport } = world((run) => ({ token: `t${run}` }));
    seen.status = 401;
    expect((await transport('/api')).status).toBe(401);
    seen.status = 403;
    await transport('/api');
    await transport('/api');
    expect(seen.tokens).toEqual(['Bearer t1', 'Bearer t2', 'Bearer t2']);
  });

  it('and requested once by all waiting callers', async () => {
    const { seen, transport } = world((run) => ({ token: `t${run}` }));
    await Promise.all([transport('/a'), transport('/b'), transport('/c')]);
    expect(seen.runs).toBe(1);
  });

  it('with a new handshake only for a new certificate', async () => {
    const pair = (run: number): object => ({ clientCertificateData: run < 3 ? 'c1' : 'c2', clientKeyData: 'k' });
    const { seen, transport } = world(pair);
    seen.status = 401;
    for (let i = 0; i < 3; i++) await transport('/api');
    expect([seen.runs, seen.handshakes.map((one) => one?.certificate)]).toEqual([3, ['c1', 'c2']]);
  });

  it('but a request’s own credential takes precedence', async () => {
    const { seen, transport } = world(() => ({ token: 't' }));
    await transport('/api', { headers: { authorization: 'Bearer own' } });
    expect(seen.tokens).toEqual(['Bearer own']);
  });
});

describe('a plugin gets cluster information', () => {
  it('only if it requests it', async () => {
    const without = world(() => ({ token: 't' }));
    await without.transport('/api');
    expect(without.seen.env).toEqual({});
    const told = world(() => ({ token: 't' }), { cluster: { server: 'https://c', config: { a: 1 } } });
    await told.transport('/api');
    expect(JSON.parse(told.seen.env.CLUSTER_EXEC_INFO ?? '')).toEqual({
      kind: 'ExecCredential',
      apiVersion: VERSION,
      spec: { cluster: { server: 'https://c', config: { a: 1 } } },
    });
  });

  it('that fails reports why, and is retried', async () => {
    let fails = true;
    const { transport } = world(() => ({ token: 't' }), {
      run: async () => (fails ? Promise.reject(new Error('no such command')) : printed({ token: 't' })),
    });
    await expect(transport('/api')).rejects.toThrow('no such command');
    fails = false;
    expect((await transport('/api')).status).toBe(200);
  });
});
