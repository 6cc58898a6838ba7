import { expect, test } from 'vitest';
import { etcdHere } from '../etcd/server.ts';
import { openInProcess } from './inProcess.ts';
import { confirmed, explain, runScenarios, type Lane } from './lanes.ts';
import { loadScenarios, loadWaiting, type Setting } from './scenarios.ts';
import { storages, type StorageName } from './storages.ts';

/** What storage can be told apart by: reads, writes, lists by pages, watches and their history. `npm run conformance -- --storage` plays all families. */
const FAMILIES = ['rest', 'watch', 'watch-compacted', 'patch', 'crd', 'kinds'];
const EVERY = 10;

const naming = 'k8s.io';
const waiting = loadWaiting();
const scenarios = FAMILIES.flatMap((family) =>
  loadScenarios({ naming, family }).filter(({ name }, i) => i % EVERY === 0 && !(name in waiting)),
);
const others = Object.keys(storages).filter((name) => name !== 'memory') as StorageName[];

for (const storage of others) {
  const isMissing = storage === 'etcd' && !etcdHere.has;
  const title = `recorded behaviour is the same on ${storage}${isMissing ? ` (${etcdHere.why})` : ''}`;
  test.skipIf(isMissing)(title, { timeout: 300_000 }, () => playOn(storage));
}

async function playOn(storage: StorageName): Promise<void> {
  const open = (setting: Setting): Promise<Lane> => openInProcess(naming, setting, storage);
  const outcomes = await runScenarios(scenarios, { naming, jobs: 4, open });
  expect(outcomes.length).toBe(scenarios.length);
  const failed = outcomes.filter(({ failures }) => failures.length > 0);
  const differing = await confirmed(failed, { naming, open });
  expect(differing.flatMap((outcome) => explain(outcome, 12)).join('\n')).toBe('');
}
