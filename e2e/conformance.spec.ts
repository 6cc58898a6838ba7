/**
 * The recorded behaviour of the reference implementation, asked for from within the page by its own `fetch`: every family,
 * each in a page of its own. `FAMILY=rest npm run e2e -- conformance` replays that one alone, `NAMING=k8s.io` all under the
 * other profile.
 */
import type { Page } from '@playwright/test';
import { expect, test } from '@playwright/test';
import { readFileSync } from 'node:fs';
import type { replay, Report } from '../test/conformance/replay.d.mts';
import type { Outcome } from '../test/conformance/lanes.ts';
import { broken, explain, summarize } from '../test/conformance/lanes.ts';
import type { Recorded } from '../test/conformance/scenarios.ts';
import {
  loadScenarios,
  loadSubstitutions,
  loadWaiting,
  recordedOptions,
  settingOf,
  tokens,
} from '../test/conformance/scenarios.ts';
import { ask, bootHere, configMap, configMaps } from './support.ts';

const naming = process.env['NAMING'] === 'k8s.io' ? 'k8s.io' : 'cluster.io';

/** Scenarios that are replayed side by side, at most: each lane is a cluster and so a worker of its own. */
const mostLanes = 6;
/** The same for families whose scenarios mostly wait: for controllers, back-offs and deadlines. */
const mostLanesThatWait = 14;
const waitingFamilies = /^(controllers|scheduler)/;
/** Opening a cluster takes as long as replaying a few scenarios. */
const scenariosWorthALane = 5;
/** The time after which the first revisions are compacted: two intervals. */
const compactionTime = 11 * 60_000;

/**
 * Field managers that wrote within the same second are listed by name. The recorded client was called `node`, which comes
 * after the other manager of these scenarios; a browser is called `Mozilla`, which comes before it, and cannot be renamed.
 */
const orderedByUserAgent = ['fuzz/b-7080', 'fuzz/b-7047-2', 'fuzz/b-7047-3'];

const all = loadScenarios({ naming }).filter(({ name }) => !orderedByUserAgent.includes(name));
const waiting = loadWaiting();
const chosen = process.env['FAMILY'];
const families = [...new Set(all.map(({ family }) => family))];
const asked = families.filter((name) => !chosen || name === chosen);

for (const family of asked) {
  test(`recorded scenarios of ${family} pass through the page`, async ({ page }) => {
    test.setTimeout(1_200_000);
    const scenarios = all.filter((scenario) => scenario.family === family);
    await page.addInitScript({ content: replayAsScript() });
    await page.goto('./');
    const most = waitingFamilies.test(family) ? mostLanesThatWait : mostLanes;
    const lanes = Math.min(most, Math.ceil(scenarios.length / scenariosWorthALane));
    const bases = await Promise.all(Array.from({ length: lanes }, (_, lane) => openLane(page, family, lane)));
    const outcomes = await replayAll(page, bases, scenarios);
    console.log([`${naming}, in the page`, ...summarize(outcomes).slice(0, -1)].join('  '));
    const unexpected = await confirmed(
      page,
      bases[0] ?? '',
      outcomes.filter(({ scenario }) => !(scenario.name in waiting)),
    );
    expect(unexpected.flatMap((outcome) => explain(outcome, 12)).join('\n')).toBe('');
    expect(outcomes.length).toBe(scenarios.length);
  });
}

test('no recorded scenario is left out', () => {
  expect(families).toEqual(expect.arrayContaining(['admission', 'authz', 'certs', 'crd', 'discovery', 'kinds']));
  expect(families).toEqual(
    expect.arrayContaining(['patch', 'rest', 'watch', 'watch-compacted', 'controllers', 'scheduler', 'fuzz']),
  );
});

async function openLane(page: Page, family: string, lane: number): Promise<string> {
  const name = `lane-${lane}`;
  const setting = settingOf(family);
  const base = await bootHere(page, { ...recordedOptions(naming, setting), name });
  if (setting !== 'compacted') return base;
  for (const made of ['early-a', 'early-b', 'early-c']) await ask(page, base, configMaps, 'POST', configMap(made));
  await page.evaluate(([ms, cluster]) => window.vitrine.clock.step(ms, cluster), [compactionTime, name] as const);
  return base;
}

async function replayAll(page: Page, bases: readonly string[], scenarios: readonly Recorded[]): Promise<Outcome[]> {
  const queue = [...scenarios];
  const outcomes: Outcome[] = [];
  const work = async (base: string): Promise<void> => {
    for (let scenario = queue.shift(); scenario; scenario = queue.shift())
      outcomes.push(await outcomeOf(page, base, scenario));
  };
  await Promise.all(bases.map(work));
  return outcomes;
}

/** Recordings wait by the wall clock: what failed beside others is replayed once more, alone. */
async function confirmed(page: Page, base: string, outcomes: readonly Outcome[]): Promise<Outcome[]> {
  const failed: Outcome[] = [];
  for (const { scenario, failures } of outcomes) {
    if (failures.length === 0) continue;
    const again = await outcomeOf(page, base, scenario);
    if (again.failures.length > 0) failed.push(again);
  }
  return failed;
}

async function outcomeOf(page: Page, base: string, scenario: Recorded): Promise<Outcome> {
  const started = Date.now();
  const failures = await replayInPage(page, base, scenario).then((report) => report.failures, broken(scenario));
  return { scenario, failures, ms: Date.now() - started };
}

/** The replayer for a page: what its module exports, as one global. */
function replayAsScript(): string {
  const module = readFileSync('test/conformance/replay.mjs', 'utf8');
  const library = module.slice(0, module.indexOf("if (typeof process !== 'undefined'")).replaceAll(/^export /gm, '');
  return `window.replayer = (() => { ${library}; return { replay }; })();`;
}

interface Replayer {
  readonly replay: typeof replay;
}

function replayInPage(page: Page, base: string, scenario: Recorded): Promise<Report> {
  return page.evaluate(
    ([address, one, users, profile, substitutions]) => {
      const { replayer } = window as unknown as { replayer: Replayer };
      const call = (path: string, init?: RequestInit): Promise<Response> => fetch(address + path, init);
      return replayer.replay([one], { call, tokens: users, naming: profile, substitutions, timeoutScale: 2 });
    },
    [base, scenario, tokens, naming, loadSubstitutions()] as const,
  );
}
