import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ClusterOptions } from '../../src/cluster/index.ts';
import type { Profile } from '../../src/names/index.ts';
import type { Scenario, Substitutions } from './replay.d.mts';

/** Every tool and test of this project is started at its top. */
const here = resolve(process.cwd(), 'test/conformance');

export interface Recorded extends Scenario {
  /** The file it was recorded in, which says what it is about: `rest`, `watch`, `kinds`, … */
  readonly family: string;
}

export interface Selection {
  readonly naming: Profile;
  readonly family?: string;
  /** Part of a scenario's name. */
  readonly only?: string;
}

/** The bearer tokens of the users that scenarios act as; the token file of `options` holds the same. */
export const tokens = { admin: 'admintoken', alice: 'alicetoken', bob: 'bobtoken', node1: 'nodetoken' } as const;

/** The scenarios of the recorded files, in the order of the recording. */
export function loadScenarios({ naming, family, only }: Selection): Recorded[] {
  const files = readdirSync(`${here}/recorded`)
    .filter((file) => file.endsWith('.json'))
    .sort();
  return files
    .map((file) => file.replace(/\.json$/, ''))
    .filter((name) => family === undefined || name === family)
    .flatMap((name) => readScenarios(name))
    .filter((scenario) => naming === 'k8s.io' || !scenario.raw_naming)
    .filter((scenario) => only === undefined || scenario.name.includes(only));
}

function readScenarios(family: string): Recorded[] {
  const scenarios = JSON.parse(readFileSync(`${here}/recorded/${family}.json`, 'utf8')) as Scenario[];
  return scenarios.map((scenario) => ({ ...scenario, family }));
}

/** What turns a recording into the `cluster.io` profile. */
export function loadSubstitutions(): Substitutions {
  const file = JSON.parse(readFileSync(`${here}/names.json`, 'utf8')) as { substitutions: Substitutions };
  return file.substitutions;
}

/** The kind of cluster that a family was recorded on: with controllers, without, or with its first revisions compacted. */
export type Setting = 'complete' | 'apiServerOnly' | 'compacted';

const settings: Readonly<Record<string, Setting>> = { fuzz: 'apiServerOnly', 'watch-compacted': 'compacted' };

/** The setting of a family: `fuzz-2` has that of `fuzz`. */
export function settingOf(family: string): Setting {
  return settings[family.replace(/-\d+$/, '')] ?? 'complete';
}

/** The options of the cluster that was recorded. */
export function recordedOptions(naming: Profile, setting: Setting = 'complete'): ClusterOptions {
  const file = setting === 'apiServerOnly' ? 'cluster-fuzz.json' : 'cluster.json';
  const options = JSON.parse(readFileSync(`${here}/${file}`, 'utf8')) as ClusterOptions;
  return { ...options, naming };
}

/** Whether a scenario waits because either of two parts of the control plane may be first, in the reference as here. */
export const isRace = (reason = ''): boolean => reason.startsWith('race: ');

/** Scenarios that do not pass yet, with what each waits for. The list can only shrink. */
export function loadWaiting(): Record<string, string> {
  return JSON.parse(readFileSync(`${here}/waiting.json`, 'utf8')) as Record<string, string>;
}
