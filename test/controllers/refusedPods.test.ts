/** Owners whose pods are refused, as by a quota. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Bench, template, type Loose } from './bench.ts';

const SETS = '/apis/apps/v1/namespaces/default/daemonsets';
const EVENTS = '/api/v1/namespaces/default/events';

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start();
  await bench.create('/api/v1/nodes', { metadata: { name: 'n', labels: { daemons: 'here' } } });
  const quota = { metadata: { name: 'none' }, spec: { hard: { pods: '0' } } };
  await bench.create('/api/v1/namespaces/default/resourcequotas', quota);
  await bench.until('/api/v1/namespaces/default/resourcequotas/none', ({ status }) => status.hard?.pods === '0');
});
afterAll(() => bench.stop());

test('the status of a daemon set stays unchanged while its pods are refused', async () => {
  const labels = { app: 'd' };
  const tolerations = [{ operator: 'Exists' }];
  const set = {
    metadata: { name: 'd' },
    spec: { selector: { matchLabels: labels }, template: template(labels, {}, { tolerations }) },
  };
  await bench.create(SETS, set);
  const isRefused = ({ reason, involvedObject }: Loose): boolean =>
    reason === 'FailedCreate' && involvedObject.name === 'd';
  await bench.until(EVENTS, ({ items }) => items.filter(isRefused).length > 0);
  const { status } = await bench.get(`${SETS}/d`);
  expect(status).toMatchObject({ desiredNumberScheduled: 0, numberMisscheduled: 0 });
  expect(status.observedGeneration).toBeUndefined();
  await bench.delete('/api/v1/namespaces/default/resourcequotas/none');
  await bench.until(`${SETS}/d`, (seen) => seen.status.desiredNumberScheduled === 1);
});
