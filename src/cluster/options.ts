import { isProfile, namesOf, profiles, type Names, type Profile } from '../names/index.ts';
import { isObject } from '../std/index.ts';
import type { Storage } from '../storage/index.ts';
import { FlagError } from './flags/read.ts';

/** How a cluster is made; the same form in the page (`vitrine.boot`), on the command line and in tests. */
export interface ClusterOptions {
  readonly name: string;
  /** `cluster.io` where nothing is said. */
  readonly naming?: Profile;
  /** Flags of the three components, as `--flag=value`; paths are names in `files`. */
  readonly apiserver?: readonly string[];
  readonly controllerManager?: readonly string[];
  readonly scheduler?: readonly string[];
  /** The scheduler begins paused, so that pods wait as if there were none; the page can let it go on. */
  readonly schedulerPaused?: boolean;
  /** The virtual file set. */
  readonly files?: Readonly<Record<string, string>>;
  /** How many nodes with a simulated agent there are. */
  readonly nodes?: number;
  /** What is installed besides the nodes. `dns`: the name server as pods; without it the simulation answers itself. */
  readonly addons?: readonly 'dns'[];
  /** With 2, a second API server works on the same storage, at `/servers/second`; the ConfigMap `second-server` stops it or makes it late. */
  readonly servers?: 1 | 2;
  /** `real`, a factor such as `10`, or `manual`. */
  readonly clock?: 'real' | 'manual' | number;
  readonly seed?: string | number;
  readonly storage?: 'memory' | 'indexeddb';
}

/** Options come from files and consoles too: throws FlagError, which names the one that is of another form. */
export function requireOptions(options: ClusterOptions): void {
  for (const [name, value] of Object.entries(options)) requireForm(name, value);
  if (options.name === undefined) throw new FlagError('name: want a text, got none');
}

/** Requires that a file holds options and nothing else. Throws FlagError, which names the first that is wrong. */
export function requireForms(given: object): asserts given is Partial<ClusterOptions> {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(FORMS, name))
      throw new FlagError(`${name}: there is no such option; want one of ${Object.keys(FORMS).join(', ')}`);
    requireForm(name, value);
  }
}

function requireForm(name: string, value: unknown): void {
  if (value === undefined || !Object.hasOwn(FORMS, name)) return;
  const { want, holds } = FORMS[name as keyof ClusterOptions];
  if (!holds(value)) throw new FlagError(`${name}: want ${want}, got ${JSON.stringify(value)}`);
}

/**
 * Requires that what is stored was not made with the names of another profile: its objects could not be read, and those of both
 * would stand side by side. Every cluster has its profile's system namespace. Throws FlagError.
 */
export function requireProfile(storage: Storage, names: Names): void {
  if (hasSystem(storage, names)) return;
  const other = profiles.find((profile) => hasSystem(storage, namesOf(profile)));
  if (other !== undefined)
    throw new FlagError(
      `naming: the storage holds a cluster with the names of ${other}, not of ${names.profile}; start it with naming ${other}, or keep the new cluster elsewhere`,
    );
}

const hasSystem = (storage: Storage, { systemNamespace }: Names): boolean =>
  storage.get(`/registry/namespaces/${systemNamespace}`) !== undefined;

interface Form {
  readonly want: string;
  holds(value: unknown): boolean;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const ADDONS = ['dns'];
const texts: Form = { want: 'a list of texts', holds: (value) => Array.isArray(value) && value.every(isText) };

const FORMS: Readonly<Record<keyof ClusterOptions, Form>> = {
  name: { want: 'a text', holds: (value) => isText(value) && value !== '' },
  naming: { want: profiles.join(' or '), holds: isProfile },
  apiserver: texts,
  controllerManager: texts,
  scheduler: texts,
  schedulerPaused: { want: 'true or false', holds: (value) => typeof value === 'boolean' },
  files: { want: 'texts by name', holds: (value) => isObject(value) && Object.values(value).every(isText) },
  addons: {
    want: `a list of ${ADDONS.join(', ')}`,
    holds: (value) => Array.isArray(value) && value.every((each) => ADDONS.includes(each as string)),
  },
  nodes: { want: 'a whole number from 0', holds: (value) => Number.isInteger(value) && Number(value) >= 0 },
  servers: { want: '1 or 2', holds: (value) => value === 1 || value === 2 },
  clock: {
    want: 'real, manual or a factor above 0',
    holds: (value) => value === 'real' || value === 'manual' || (Number.isFinite(value) && Number(value) > 0),
  },
  seed: { want: 'a text or a number', holds: (value) => isText(value) || Number.isFinite(value) },
  storage: { want: 'memory or indexeddb', holds: (value) => value === 'memory' || value === 'indexeddb' },
};
