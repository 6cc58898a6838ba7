/** What a quota's status says is used. */
import { describe, expect, it } from 'vitest';
import { planStatus } from '../../src/controllers/resourceQuota.ts';
import { namesOf } from '../../src/names/index.ts';
import { evaluatorOf, type ApiObject } from '../../src/schema/index.ts';

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
});
