/** What a quota's status says is used. */
import { describe, expect, it } from 'vitest';
import { planStatus } from '../../src/controllers/resourceQuota.ts';
import { namesOf } from '../../src/names/index.ts';
import { evaluatorOf, type ApiObject } from '../../src/schema/index.ts';
import { Bench, type Loose } from './bench.ts';

const names = namesOf('k8s.io');
const NOW = Date.UTC(2026, 0, 1);

const pod = (phase: string, cpu: string, more: object = {}): ApiObject => ({
  metadata: { name: 'p', creationTimestamp: null, ...more },
  spec: { containers: [{ name: 'c', resources: { requests: { cpu } } }] },
  status: { phase },
});
const measured = [
  {
    evaluator: evaluatorOf({ group: '', resource: 'pods' }, names),
    objects: [
      pod('Running', '100m'),
      pod('Succeeded', '1'),
      pod('Running', '2', { deletionTimestamp: '2025-12-31T23:00:00Z', deletionGracePeriodSeconds: 30 }),
    ],
  },
  { evaluator: evaluatorOf({ group: '', resource: 'configmaps' }, names), objects: [] },
];

describe('the status of a quota', () => {
  it.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    ['pods that are still there', { pods: '9' }, { pods: '1' }],
    ['all pods that are stored', { 'count/pods': '9' }, { 'count/pods': '3' }],
    ['what they ask for', { 'requests.cpu': '9' }, { 'requests.cpu': '100m' }],
    ['nothing yet', { configmaps: '9', 'count/configmaps': '9' }, { configmaps: '0', 'count/configmaps': '0' }],
    ['what nobody measures', { 'count/widgets.example.com': '9', 'count/events': '9' }, {}],
  ])('%s', (_what, hard, used) => {
    const quota = { metadata: { name: 'q', creationTimestamp: null }, spec: { hard }, status: {} };
    expect(planStatus(quota, measured, NOW)).toEqual({ hard, used });
  });

  it('keeps the usage of unmeasured resources, and has none without a limit', () => {
    const hard = { pods: '9', 'example.com/licences': '4' };
    const used = { pods: '7', 'example.com/licences': '2', 'example.com/keys': '1' };
    const quota = { metadata: { name: 'q', creationTimestamp: null }, spec: { hard }, status: { hard, used } };
    expect(planStatus(quota, measured, NOW).used).toEqual({ pods: '1', 'example.com/licences': '2' });
  });
});

describe('a quota created together with objects', () => {
  it('includes objects stored before its calculation and observed after it', { timeout: 60_000 }, async () => {
    const bench = await Bench.start({ clock: 'real' });
    const used = async (namespace: string): Promise<void> => {
      const of = `/api/v1/namespaces/${namespace}`;
      const holds = (path: string, value: (answer: Loose) => unknown, wanted: unknown): Promise<void> =>
        expect.poll(async () => value(await bench.get(of + path)), { interval: 5, timeout: 10_000 }).toBe(wanted);
      await bench.create('/api/v1/namespaces', { metadata: { name: namespace } });
      await holds('/serviceaccounts/default', (account) => account.kind, 'ServiceAccount');
      await bench.create(`${of}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { configmaps: '3' } } });
      // The certificate authority's ConfigMap is published to each new namespace at about the same time.
      await holds('/resourcequotas/q', (quota) => quota.status.used?.configmaps, '1');
    };
    try {
      for (let round = 0; round < 10; round++)
        await Promise.all(Array.from({ length: 8 }, (_, lane) => used(`n-${round}-${lane}`)));
    } finally {
      await bench.stop();
    }
  });
});
