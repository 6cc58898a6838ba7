import { describe, expect, test } from 'vitest';
import { profiles } from '../../src/names/index.ts';
import { openInProcess } from './inProcess.ts';
import type { Outcome } from './lanes.ts';
import { confirmed, explain, runScenarios, summarize } from './lanes.ts';
import { loadScenarios, loadWaiting } from './scenarios.ts';

const waiting = loadWaiting();
const all: Outcome[] = [];

describe('recorded behaviour of the reference implementation', () => {
  test.each(profiles)('%s, in this process', { timeout: 600_000 }, async (naming) => {
    const scenarios = loadScenarios({ naming });
    const outcomes = await runScenarios(scenarios, { naming, jobs: 8, open: (kind) => openInProcess(naming, kind) });
    all.push(...outcomes);
    console.log([naming, ...summarize(outcomes)].join('\n  '));

    const failed = outcomes.filter((outcome) => outcome.failures.length > 0);
    const open = (kind: 'fresh' | 'compacted'): ReturnType<typeof openInProcess> => openInProcess(naming, kind);
    const unexpected = await confirmed(
      failed.filter((outcome) => !(outcome.scenario.name in waiting)),
      { naming, open },
    );
    expect(outcomes.length).toBe(scenarios.length);
    expect(unexpected.flatMap((outcome) => explain(outcome, 12)).join('\n')).toBe('');
  });

  // Scenarios that wait by the wall clock may pass here and fail on a slower machine, so this one tells and does not fail.
  test('tells which entries of waiting.json pass under both profiles', () => {
    const failed = new Set(all.filter((outcome) => outcome.failures.length > 0).map((o) => o.scenario.name));
    const done = Object.keys(waiting).filter((name) => !failed.has(name));
    if (done.length > 0)
      console.log(`delete from waiting.json (npm run conformance -- --prune):\n  ${done.join('\n  ')}`);
    expect(failed.size).toBeLessThanOrEqual(Object.keys(waiting).length + 20);
  });

  test('waiting.json names only scenarios that exist, each with a reason', () => {
    const known = new Set(loadScenarios({ naming: 'k8s.io' }).map((scenario) => scenario.name));
    expect(Object.keys(waiting).filter((name) => !known.has(name))).toEqual([]);
    expect(Object.values(waiting).filter((reason) => reason.trim() === '')).toEqual([]);
  });
});
