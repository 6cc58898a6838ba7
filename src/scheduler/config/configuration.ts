/** The scheduler's configuration file: profiles, their plugins, and the plugins' arguments. */
import { namesOf, profiles } from '../../names/index.ts';
import { yaml } from '../../std/index.ts';
import { DEFAULT_BACKOFF, type Backoff } from '../queue.ts';
import { extendersFrom, type ExtenderConfig } from '../extender/config.ts';
import { ConfigurationError, Fields } from './fields.ts';

/** The extension points of plugins; those that this scheduler does not use are only accepted by name. */
export const POINTS = [
  'queueSort',
  'preFilter',
  'filter',
  'postFilter',
  'preScore',
  'score',
  'reserve',
  'permit',
  'preBind',
  'bind',
  'postBind',
] as const;

export type Point = (typeof POINTS)[number];

export interface PluginChoice {
  readonly name: string;
  /** 0 uses the plugin's default weight. */
  readonly weight: number;
}

/** Changes of the plugins at an extension point; `*` disables all defaults. */
export interface PointChoice {
  readonly enabled: readonly PluginChoice[];
  readonly disabled: readonly string[];
}

export interface ProfileChoice {
  readonly schedulerName: string;
  readonly points: Readonly<Partial<Record<Point, PointChoice>>>;
  /** The arguments of plugins, by plugin name. */
  readonly args: ReadonlyMap<string, Fields>;
}

export interface Configuration {
  readonly profiles: readonly ProfileChoice[];
  /** The percentage of nodes to find; 0 derives it from the number of nodes. */
  readonly percentageOfNodesToScore: number;
  /** Whether every filter checks every node; only a policy can enable this. */
  readonly asksAllFilters: boolean;
  readonly backoff: Backoff;
  /** The extenders, in order. */
  readonly extenders: readonly ExtenderConfig[];
}

/** The files that a configuration may refer to. */
export type Files = Readonly<Record<string, string>>;

export const DEFAULT_SCHEDULER = 'default-scheduler';

const LARGE = 2 ** 31 - 1;
/** Fields for running the component on a machine; they are accepted and have no effect in a tab. */
const OF_THE_MACHINE = [
  'clientConnection',
  'leaderElection',
  'healthzBindAddress',
  'metricsBindAddress',
  'enableProfiling',
  'enableContentionProfiling',
  'parallelism',
];

/** The configuration without a file: one profile, with changes from flags. */
export function defaultConfiguration(profile: Partial<ProfileChoice> = {}): Configuration {
  return {
    profiles: [{ schedulerName: DEFAULT_SCHEDULER, points: {}, args: new Map(), ...profile }],
    percentageOfNodesToScore: 0,
    asksAllFilters: false,
    backoff: DEFAULT_BACKOFF,
    extenders: [],
  };
}

/** Reads the file of `--config`, as YAML or JSON. Throws ConfigurationError. */
export function readConfiguration(text: string, files: Files = {}): Configuration {
  const file = new Fields(parse(text), '');
  checkKind(file);
  for (const name of OF_THE_MACHINE) file.raw(name);
  const read = {
    profiles: readProfiles(file),
    percentageOfNodesToScore: file.number('percentageOfNodesToScore', 0, 100) ?? 0,
    asksAllFilters: false,
    backoff: {
      first: secondsOf(file, 'podInitialBackoffSeconds') ?? DEFAULT_BACKOFF.first,
      longest: secondsOf(file, 'podMaxBackoffSeconds') ?? DEFAULT_BACKOFF.longest,
    },
    extenders: extendersFrom(file, files),
  };
  file.end();
  if (read.backoff.longest < read.backoff.first)
    throw new ConfigurationError(
      'podMaxBackoffSeconds: Invalid value: must be greater than or equal to PodInitialBackoffSeconds',
    );
  return read;
}

/** Milliseconds. */
function secondsOf(file: Fields, name: string): number | undefined {
  const seconds = file.number(name, 1, LARGE);
  return seconds === undefined ? undefined : seconds * 1000;
}

export function parse(text: string): unknown {
  try {
    return yaml().parse(text);
  } catch (problem) {
    throw new ConfigurationError(problem instanceof Error ? problem.message : String(problem));
  }
}

/** Both naming profiles of the group are accepted, so that existing files work. */
function checkKind(file: Fields): void {
  const version = file.text('apiVersion') ?? '';
  const known: readonly string[] = profiles.map((profile) =>
    namesOf(profile).fill('kubescheduler.config.{domain}/v1beta1'),
  );
  const kind = file.text('kind') ?? '';
  if (kind !== 'KubeSchedulerConfiguration' || !known.includes(version))
    throw new ConfigurationError(`no kind "${kind}" is registered for version "${version}": use ${known[0]}`);
}

function readProfiles(file: Fields): ProfileChoice[] {
  const read = file.list('profiles').map(readProfile);
  const names = read.map(({ schedulerName }) => schedulerName);
  const repeated = names.findIndex((name, i) => names.indexOf(name) < i);
  if (repeated >= 0)
    throw new ConfigurationError(`profiles[${repeated}].schedulerName: Duplicate value: "${names[repeated]}"`);
  return read.length > 0 ? read : [...defaultConfiguration().profiles];
}

function readProfile(fields: Fields, index: number, all: readonly Fields[]): ProfileChoice {
  const schedulerName = fields.text('schedulerName') ?? (all.length === 1 ? DEFAULT_SCHEDULER : '');
  if (schedulerName === '') throw new ConfigurationError(`profiles[${index}].schedulerName: Required value`);
  const plugins = fields.fields('plugins');
  const points = plugins && POINTS.map((point) => [point, plugins.fields(point)] as const);
  plugins?.end();
  const args = fields.list('pluginConfig').map((config): [string, Fields] => {
    const name = config.text('name') ?? '';
    const given = config.fields('args') ?? new Fields({}, config.at('args'));
    config.end();
    return [name, given];
  });
  fields.end();
  return {
    schedulerName,
    points: Object.fromEntries(
      (points ?? []).flatMap(([point, choice]) => (choice ? [[point, readPoint(choice)]] : [])),
    ),
    args: new Map(args),
  };
}

function readPoint(fields: Fields): PointChoice {
  const read = (plugin: Fields): PluginChoice => {
    const choice = { name: plugin.text('name') ?? '', weight: plugin.number('weight', 0, LARGE) ?? 0 };
    plugin.end();
    return choice;
  };
  const choice = {
    enabled: fields.list('enabled').map(read),
    disabled: fields.list('disabled').map((plugin) => read(plugin).name),
  };
  fields.end();
  return choice;
}
