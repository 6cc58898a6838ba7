import { describe, expect, test } from 'vitest';
import { profiles } from '../../src/names/index.ts';
import { openInProcess } from './inProcess.ts';
import type { Outcome } from './lanes.ts';
import { confirmed, explain, runScenarios, summarize } from './lanes.ts';
import type { Setting } from './scenarios.ts';
import { isRace, loadScenarios, loadWaiting } from './scenarios.ts';

const waiting = loadWaiting();
const all: Outcome[] = [];

describe('recorded behaviour of the reference implementation', () => {
  test.each(profiles)('%s, in this process', { timeout: 1_200_000 }, async (naming) => {
    const scenarios = loadScenarios({ naming });
    const outcomes = await runScenarios(scenarios, {
      naming,
      jobs: 8,
      open: (setting) => openInProcess(naming, setting),
    });
    all.push(...outcomes);
    console.log([naming, ...summarize(outcomes)].join('\n  '));

    const failed = outcomes.filter((outcome) => outcome.failures.length > 0);
    const open = (setting: Setting): ReturnType<typeof openInProcess> => openInProcess(naming, setting);
    const unexpected = await confirmed(
      failed.filter((outcome) => !(outcome.scenario.name in waiting)),
      { naming, open },
    );
    expect(outcomes.length).toBe(scenarios.length);
    expect(unexpected.flatMap((outcome) => explain(outcome, 12)).join('\n')).toBe('');
  });

  // What passes by luck of the wall clock passes once, what works passes again alone: only that has to leave the list.
  test('waiting.json lists nothing that passes under both profiles', { timeout: 1_200_000 }, async () => {
    const listed = all.filter(({ scenario }) => scenario.name in waiting);
    const failed = new Set(listed.filter(({ failures }) => failures.length > 0).map(({ scenario }) => scenario.name));
    const passed = listed.map(({ scenario }) => scenario).filter(({ name }) => !failed.has(name));
    for (const naming of profiles) {
      const scenarios = loadScenarios({ naming }).filter(({ name }) =>
        passed.some((scenario) => scenario.name === name),
      );
      const again = await runScenarios(scenarios, {
        naming,
        jobs: 1,
        open: (setting) => openInProcess(naming, setting),
      });
      for (const { scenario, failures } of again) if (failures.length > 0) failed.add(scenario.name);
    }
    const done = [...new Set(passed.map(({ name }) => name))].filter(
      (name) => !failed.has(name) && !isRace(waiting[name]),
    );
    expect(done, 'delete these: npm run conformance -- --prune').toEqual([]);
  });

  test('waiting.json names only scenarios that exist, each with a reason', () => {
    const known = new Set(loadScenarios({ naming: 'k8s.io' }).map((scenario) => scenario.name));
    expect(Object.keys(waiting).filter((name) => !known.has(name))).toEqual([]);
    expect(Object.values(waiting).filter((reason) => reason.trim() === '')).toEqual([]);
  });
});
