/** One step of a scenario; the form is described in README.md of this folder. */
export interface Step {
  readonly m: string;
  readonly path?: string;
  readonly id?: string;
  readonly expect?: unknown;
}

export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly cleanup?: readonly string[];
  readonly noNamespace?: boolean;
  readonly raw_naming?: boolean;
}

export interface Failure {
  readonly scenario: string;
  readonly step: number;
  readonly request: string;
  readonly diffs: readonly string[];
}

export interface Report {
  readonly scenarios: number;
  readonly passed: number;
  readonly steps: number;
  readonly stepsPassed: number;
  readonly failures: readonly Failure[];
}

export type Substitutions = readonly (readonly [string, string])[];

export interface Options {
  readonly call: (path: string, init?: RequestInit) => Promise<Response>;
  readonly tokens: Readonly<Record<string, string>>;
  readonly naming?: string;
  readonly substitutions?: Substitutions;
  readonly timeoutScale?: number;
}

export function replay(scenarios: readonly Scenario[], options: Options): Promise<Report>;
export function rename<T>(value: T, substitutions: Substitutions): T;
