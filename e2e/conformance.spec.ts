/** The recorded behaviour of the reference implementation, asked for from within the page by its own `fetch`. */
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
  tokens,
} from '../test/conformance/scenarios.ts';
import { bootHere } from './support.ts';

const naming = 'cluster.io';

/** Scenarios that are replayed side by side, each lane in a cluster and so in a worker of its own. */
const lanes = 8;

test('recorded scenarios pass through the page', async ({ page }) => {
  test.setTimeout(600_000);
  // All families take longer than one test should; `FAMILY=rest` (or another) replays that one here instead.
  const family = process.env['FAMILY'] ?? 'watch';
  // What wants a compacted history is replayed in process, where time can be stepped.
  const scenarios = loadScenarios({ naming, family }).filter((scenario) => scenario.family !== 'watch-compacted');
  const waiting = loadWaiting();
  await page.addInitScript({ content: replayAsScript() });

  await page.goto('./');
  const bases = await Promise.all(
    Array.from({ length: lanes }, (_, lane) => bootHere(page, { ...recordedOptions(naming), name: `lane-${lane}` })),
  );
  const queue = [...scenarios];
  const outcomes: Outcome[] = [];
  const work = async (base: string): Promise<void> => {
    for (let scenario = queue.shift(); scenario; scenario = queue.shift()) {
      const started = Date.now();
      const failures = await replayInPage(page, base, scenario).then((report) => report.failures, broken(scenario));
      outcomes.push({ scenario, failures, ms: Date.now() - started });
    }
  };
  await Promise.all(bases.map(work));

  console.log([`${naming}, in the page`, ...summarize(outcomes)].join('\n  '));
  const doubtful = outcomes.filter(({ failures, scenario }) => failures.length > 0 && !(scenario.name in waiting));
  // Recordings wait by the wall clock: what failed beside others is replayed once more, alone.
  const unexpected: Outcome[] = [];
  for (const { scenario, ms } of doubtful) {
    const failures = await replayInPage(page, bases[0] ?? '', scenario).then(
      (report) => report.failures,
      broken(scenario),
    );
    if (failures.length > 0) unexpected.push({ scenario, failures, ms });
  }
  expect(unexpected.flatMap((outcome) => explain(outcome, 12)).join('\n')).toBe('');
  expect(outcomes.length).toBe(scenarios.length);
});

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
