import { isProfile, namesOf, profiles, type Names, type Profile } from '../names/index.ts';
import { isObject } from '../std/index.ts';
import type { Storage } from '../storage/index.ts';
import { FlagError } from './flags/read.ts';

/** The options of a cluster, the same in the page (`vitrine.boot`), on the command line and in tests. */
export interface ClusterOptions {
  readonly name: string;
  /** `cluster.io` by default. */
  readonly naming?: Profile;
  /** Flags of the three components, as `--flag=value`; paths refer to `files`. */
  readonly apiserver?: readonly string[];
  readonly controllerManager?: readonly string[];
  readonly scheduler?: readonly string[];
  /** The scheduler starts paused, so that pods stay pending; the page can resume it. */
  readonly schedulerPaused?: boolean;
  /** The files that flags may refer to. */
  readonly files?: Readonly<Record<string, string>>;
  /** The number of nodes with a simulated agent. */
  readonly nodes?: number;
  /** Addons. `dns`: the name server as pods; without it the simulation answers itself. */
  readonly addons?: readonly 'dns'[];
  /**
   * With 2, a second API server uses the same storage, at `/servers/second`; the ConfigMap `second-server` stops or
   * delays it.
   */
  readonly servers?: 1 | 2;
  /** `real`, a factor such as `10`, or `manual`. */
  readonly clock?: 'real' | 'manual' | number;
  readonly seed?: string | number;
  readonly storage?: 'memory' | 'indexeddb';
}

/** Options may come from files and consoles: throws FlagError, which names an invalid one. */
export function requireOptions(options: ClusterOptions): void {
  for (const [name, value] of Object.entries(options)) requireForm(name, value);
  if (options.name === undefined) throw new FlagError('name: want a text, got none');
}

/** Requires that a file contains only valid options. Throws FlagError, which names the first invalid one. */
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
 * Requires that stored objects have the names of this profile: those of another could not be read. Every cluster has
 * its profile's system namespace. Throws FlagError.
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
