/** EventRateLimit: four ways to count events. */
import { describe, expect, it } from 'vitest';
import { manualClock } from '../../src/std/index.ts';
import { alice, pluginIn, request, START, verdictOf, type Asked, type Raw } from './helpers.ts';

const config = (...limits: readonly Raw[]): Raw => ({
  apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
  kind: 'Configuration',
  limits,
});
const event = (about: string, component = 'kubelet'): Raw => ({
  metadata: { name: 'e' },
  involvedObject: { kind: 'Pod', namespace: 'ns', name: about },
  source: { component, host: 'h' },
});
const bob = { ...alice, name: 'bob' };

/** Sends events one after the other, at the same moment; `.` for one that came through, `x` for one that did not. */
async function send(limit: Raw, events: readonly Asked[], what = 'CREATE events'): Promise<string> {
  const plugin = pluginIn('EventRateLimit', { config: config(limit) });
  let seen = '';
  for (const one of events)
    seen += (await verdictOf(plugin, request(what, { object: event('p'), ...one }))) === 'allowed' ? '.' : 'x';
  return seen;
}

describe('EventRateLimit', () => {
  it.each<[string, Raw, readonly Asked[], string]>([
    ['Server: all together', { type: 'Server', qps: 1, burst: 2 }, [{}, { user: bob }, { namespace: 'x' }], '..x'],
    [
      'Namespace: each by itself',
      { type: 'Namespace', qps: 1, burst: 1 },
      [{}, { namespace: 'x' }, { user: bob }, { namespace: 'x' }],
      '..xx',
    ],
    ['User: each by himself', { type: 'User', qps: 1, burst: 1 }, [{}, { user: bob }, { namespace: 'x' }], '..x'],
    [
      'SourceAndObject: who speaks of what',
      { type: 'SourceAndObject', qps: 1, burst: 1 },
      [{}, { object: event('q') }, { object: event('p', 'scheduler') }, {}],
      '...x',
    ],
    [
      'forgets who was seen longest ago',
      { type: 'Namespace', qps: 1, burst: 1, cacheSize: 2 },
      [
        { namespace: 'a' },
        { namespace: 'b' },
        { namespace: 'a' },
        { namespace: 'c' },
        { namespace: 'a' },
        { namespace: 'b' },
      ],
      '..x.x.',
    ],
    ['counts no dry run', { type: 'Server', qps: 1, burst: 1 }, [{ dryRun: true }, {}, { dryRun: true }], '...'],
  ])('%s', async (_what, limit, events, expected) => expect(await send(limit, events)).toBe(expected));

  it('ignores other kinds', async () => {
    const limit = { type: 'Server', qps: 1, burst: 1 };
    expect(
      await send(
        limit,
        [{}, {}].map(() => ({ object: { metadata: { name: 'm' } } })),
        'CREATE configmaps',
      ),
    ).toBe('..');
  });

  it('returns the time to wait, and admits requests after that', async () => {
    const clock = manualClock(START);
    const limits = config({ type: 'Server', qps: 1, burst: 1 }, { type: 'User', qps: 2, burst: 1 });
    const plugin = pluginIn('EventRateLimit', { clock, config: limits });
    const attributes = request('CREATE events', { object: event('p') });
    expect(await verdictOf(plugin, attributes)).toBe('allowed');
    expect(await verdictOf(plugin, attributes)).toBe(
      '429 Too many requests: [limit reached on type Server for key , limit reached on type User for key alice]',
    );
    await clock.step(999);
    expect(await verdictOf(plugin, attributes)).toBe('429 Too many requests: limit reached on type Server for key ');
    await clock.step(1001);
    expect(await verdictOf(plugin, attributes)).toBe('allowed');
  });
});
