import type { Profile } from '../../src/names/index.ts';
import type { Failure, Options, Substitutions } from './replay.d.mts';
import { replay } from './replay.mjs';
import type { Recorded, Setting } from './scenarios.ts';
import { loadSubstitutions, settingOf, tokens } from './scenarios.ts';

/** A control plane under test, used by one scenario at a time, as the recorded one was. */
export interface Lane {
  readonly call: Options['call'];
  close(): Promise<void>;
}

export interface Outcome {
  readonly scenario: Recorded;
  readonly failures: readonly Failure[];
  readonly ms: number;
}

export interface RunOptions {
  readonly naming: Profile;
  /** How many lanes work at once; most of a scenario's time is waiting. */
  readonly jobs: number;
  /** Opens a lane on a cluster of that setting. */
  readonly open: (setting: Setting) => Promise<Lane>;
  readonly onOutcome?: (outcome: Outcome, lane: Lane) => void;
}

/** Replays `scenarios`, several at a time, each lane in the order of the recording; outcomes in that order too. */
export async function runScenarios(scenarios: readonly Recorded[], options: RunOptions): Promise<Outcome[]> {
  const substitutions = options.naming === 'k8s.io' ? [] : loadSubstitutions();
  const outcomes = new Map<Recorded, Outcome>();
  for (const setting of ['complete', 'apiServerOnly', 'compacted'] as const) {
    const queue = scenarios.filter(({ family }) => settingOf(family) === setting);
    const lanes = Math.min(options.jobs, queue.length);
    await Promise.all(Array.from({ length: lanes }, () => work(queue, setting, substitutions, options, outcomes)));
  }
  return scenarios.map((scenario) => outcomes.get(scenario)).filter((outcome) => outcome !== undefined);
}

/**
 * What still fails when it is replayed once more, alone: recordings wait by the wall clock, and a machine that is busy with
 * eight lanes may be slower than they were.
 */
export async function confirmed(failed: readonly Outcome[], options: Omit<RunOptions, 'jobs'>): Promise<Outcome[]> {
  const again = await runScenarios(
    failed.map(({ scenario }) => scenario),
    { ...options, jobs: 1 },
  );
  return again.filter(({ failures }) => failures.length > 0);
}

async function work(
  queue: Recorded[],
  setting: Setting,
  substitutions: Substitutions,
  options: RunOptions,
  outcomes: Map<Recorded, Outcome>,
): Promise<void> {
  const lane = await options.open(setting);
  try {
    for (let scenario = queue.shift(); scenario; scenario = queue.shift()) {
      const started = Date.now();
      const call = { call: lane.call, tokens, naming: options.naming, substitutions };
      const failures = await replay([scenario], call).then((report) => report.failures, broken(scenario));
      const outcome = { scenario, failures, ms: Date.now() - started };
      outcomes.set(scenario, outcome);
      options.onOutcome?.(outcome, lane);
    }
  } finally {
    await lane.close();
  }
}

/** A scenario that cannot even be replayed to its end, because an answer has a form that nobody expected. */
export function broken({ name }: Recorded): (error: unknown) => Failure[] {
  return (error) => [{ scenario: name, step: 0, request: 'the replay broke off', diffs: [String(error)] }];
}

/** `family passed/total` for each family, and the sum. */
export function summarize(outcomes: readonly Outcome[]): string[] {
  const families = new Set(outcomes.map((outcome) => outcome.scenario.family));
  const row = (name: string, all: readonly Outcome[]): string =>
    `${name.padEnd(16)} ${all.filter((outcome) => outcome.failures.length === 0).length}/${all.length}`;
  const ofFamily = (name: string): Outcome[] => outcomes.filter((outcome) => outcome.scenario.family === name);
  return [...[...families].map((name) => row(name, ofFamily(name))), row('all', outcomes)];
}

/** The differences of one outcome, a line each, at most `limit` of every step. */
export function explain(outcome: Outcome, limit = Infinity): string[] {
  return outcome.failures.flatMap(({ scenario, step, request, diffs }) => [
    `FAIL ${scenario} step ${step} (${request})`,
    ...diffs.slice(0, limit).map((line) => `     ${line}`),
    ...(diffs.length > limit ? [`     … ${diffs.length - limit} more`] : []),
  ]);
}
