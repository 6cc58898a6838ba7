/** The gates set by `--feature-gates` (specification, Versioning 9). */
import { gates, type Gate } from '../gates.ts';
import type { FlagProblem } from './parse.ts';

export interface GateReading {
  /** Whether a feature is on; false if it is unknown. */
  readonly gate: (name: string) => boolean;
  readonly problems: readonly FlagProblem[];
  readonly warnings: readonly string[];
}

const FLAG = 'feature-gates';

/** Gates that switch all gates of a stage that are not set explicitly. */
const STAGE_SWITCHES = [
  ['AllAlpha', 'alpha'],
  ['AllBeta', 'beta'],
] as const;

/** Parses pairs such as `EphemeralContainers=true`. */
export function readFeatureGates(pairs: readonly string[]): GateReading {
  const set = new Map(
    pairs.map((pair) => pair.split('=') as [string, string]).map(([name, on]) => [name, on === 'true']),
  );
  const named = Array.from(set, ([name, on]) => ({ name, on, known: gateOf(name) }));
  const problems = named.flatMap(({ name, on, known }) => problemWith(name, on, known));
  const warnings = named.flatMap(({ name, on, known }) => warningAbout(name, on, known));
  const staged = new Map(STAGE_SWITCHES.map(([name, stage]) => [stage as string, set.get(name)]));
  const gate = (name: string): boolean => {
    const known = gateOf(name);
    return known !== undefined && (set.get(name) ?? staged.get(known.stage) ?? known.on);
  };
  return { gate, problems, warnings };
}

/** Names are user input; inherited properties are not gates. */
const gateOf = (name: string): Gate | undefined => (Object.hasOwn(gates, name) ? gates[name] : undefined);

function problemWith(name: string, on: boolean, known: Gate | undefined): FlagProblem[] {
  if (!known) return [{ flag: FLAG, message: `unrecognized feature gate: ${name}` }];
  if (!known.locked || known.on === on) return [];
  const message = `cannot set feature gate ${name} to ${on}, feature is locked to ${known.on}`;
  return [{ flag: FLAG, message }];
}

function warningAbout(name: string, on: boolean, known: Gate | undefined): string[] {
  if (known?.stage !== 'ga' && known?.stage !== 'deprecated') return [];
  const what = known.stage === 'ga' ? 'GA' : 'deprecated';
  return [`Setting ${what} feature gate ${name}=${on}. It will be removed in a future release.`];
}
