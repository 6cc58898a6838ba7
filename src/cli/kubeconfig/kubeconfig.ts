/**
 * The client's configuration: clusters, users and contexts. The page's own context is always among them; what people add is kept in
 * a file of their home folder, so that it lasts as long as the cluster.
 */
import { deepEqual, getOwn, isObject, loadYaml, yaml } from '../../std/index.ts';
import { complaint } from '../command/errors.ts';
import type { Session } from '../command/session.ts';
import { printYaml } from '../output/yaml.ts';
import { entryNames, sections, type Field, type Section } from './fields.ts';

/** A cluster, user or context: its fields by their names. */
export type Entry = Readonly<Record<string, unknown>>;
export type Entries = ReadonlyMap<string, Entry>;

export interface Kubeconfig extends Readonly<Record<Section, Entries>> {
  /** The name of the current context; empty for none. */
  readonly current: string;
  readonly preferences: Entry;
}

const empty: Kubeconfig = {
  ...{ clusters: new Map(), users: new Map(), contexts: new Map() },
  ...{ current: '', preferences: {} },
};

/** What has a configuration: a home, and a context of the page's own. */
export type Configured = Pick<Session, 'context' | 'kubeconfig' | 'namespace'> & {
  readonly files: Pick<Session['files'], 'read'>;
};

/** The names of the page's own context, and its server. */
export interface Own {
  readonly name: string;
  readonly cluster: string;
  readonly user: string;
  readonly server: string;
}

const NOWHERE: Own = { name: 'here', cluster: 'here', user: 'you', server: '/' };

export const ownOf = ({ context }: Pick<Session, 'context'>): Own => context ?? NOWHERE;

/** The configuration of somebody who has written none: the page's cluster, as whom the page acts. */
export function ownConfig(session: Configured): Kubeconfig {
  const { name, cluster, user, server } = ownOf(session);
  return {
    ...empty,
    clusters: new Map([[cluster, { server }]]),
    users: new Map([[user, {}]]),
    contexts: new Map([[name, { cluster, user, namespace: session.namespace }]]),
    current: name,
  };
}

/** Where a configuration is read from and written to. */
export interface Place {
  readonly path: string;
  /** Whether the file was named: it then holds all that there is. */
  readonly explicit: boolean;
}

const DEFAULT_PATH = '.kube/config';

export const placeOf = ({ kubeconfig = DEFAULT_PATH }: Configured, named: string): Place =>
  named === '' ? { path: kubeconfig, explicit: false } : { path: named, explicit: true };

/** Where a file lies that a configuration names: relative paths are meant from the configuration's folder. */
export const fileFrom = ({ path: place }: Place, path: string): string =>
  path.startsWith('/') ? path : place.replace(/[^/]*$/, '') + path;

/** The configuration at a place. A file that is not there holds nothing. Throws CommandError for one that can't be read. */
export async function readConfig(session: Configured, place: Place): Promise<Kubeconfig> {
  const text = await session.files.read(place.path);
  const written = text === undefined ? empty : await parseConfig(text, place.path);
  if (place.explicit) return written;
  const own = ownConfig(session);
  return {
    clusters: new Map([...own.clusters, ...written.clusters]),
    users: new Map([...own.users, ...written.users]),
    contexts: new Map([...written.contexts, ...ownContexts(own, written.contexts)]),
    current: written.current || own.current,
    preferences: written.preferences,
  };
}

/** The page's own context with what was written of it. Its namespace is always the one that the page shows. */
const ownContexts = (own: Kubeconfig, written: Entries): Entries =>
  new Map(
    [...own.contexts].map(([name, entry]) => [
      name,
      { ...entry, ...written.get(name), namespace: textOf(entry, 'namespace') },
    ]),
  );

/** Writes what a configuration says beyond the page's own; the namespace of the page's context goes to the page. */
export async function writeConfig(session: Session, place: Place, config: Kubeconfig): Promise<void> {
  const namespace = textOf(config.contexts.get(ownOf(session).name), 'namespace');
  if (!place.explicit && namespace !== session.namespace) session.namespace = namespace || 'default';
  await session.files.write(
    place.path,
    printYaml(written(place.explicit ? config : beyond(config, ownConfig(session)))),
  );
}

function beyond(config: Kubeconfig, own: Kubeconfig): Kubeconfig {
  const added = (section: Section): Entries =>
    new Map([...config[section]].filter(([name, entry]) => !deepEqual(entry, own[section].get(name))));
  return {
    ...{ clusters: added('clusters'), users: added('users') },
    contexts: new Map([...added('contexts')].flatMap(([name, entry]) => beyondOwn(name, entry, own))),
    current: config.current === own.current ? '' : config.current,
    preferences: config.preferences,
  };
}

/** Of the page's own context only what was changed: the rest follows the page, whoever it acts as later. */
function beyondOwn(name: string, entry: Entry, { contexts }: Kubeconfig): readonly (readonly [string, Entry])[] {
  const own = contexts.get(name);
  if (!own) return [[name, entry]];
  const changed = Object.entries(entry).filter(
    ([field, value]) => field !== 'namespace' && !deepEqual(value, getOwn(own, field)),
  );
  return changed.length === 0 ? [] : [[name, Object.fromEntries(changed)]];
}

async function parseConfig(text: string, path: string): Promise<Kubeconfig> {
  await loadYaml();
  const value = parsed(text, path) ?? {};
  if (!isObject(value)) throw complaint(`error loading config file ${JSON.stringify(path)}: it is no object`);
  const entries = (section: Section): Entries => {
    const list = Array.isArray(value[section]) ? (value[section] as readonly unknown[]) : [];
    return new Map(
      list.filter(isObject).map((each) => {
        const entry = getOwn(each, entryNames[section]);
        return [String(each['name'] ?? ''), readEntry(sections[section], isObject(entry) ? entry : {})];
      }),
    );
  };
  const { 'current-context': current, preferences } = value;
  return {
    ...{ clusters: entries('clusters'), users: entries('users'), contexts: entries('contexts') },
    current: typeof current === 'string' ? current : '',
    preferences: isObject(preferences) ? preferences : {},
  };
}

function parsed(text: string, path: string): unknown {
  try {
    return yaml().parse(text);
  } catch (error) {
    throw complaint(
      `error loading config file ${JSON.stringify(path)}: ${error instanceof Error ? error.message : ''}`,
    );
  }
}

/** The fields that there are; others are forgotten. */
const readEntry = (fields: readonly Field[], value: Entry): Entry =>
  Object.fromEntries(fields.flatMap(({ name }) => (isEmpty(getOwn(value, name)) ? [] : [[name, getOwn(value, name)]])));

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '' || value === false;

/** A configuration as it stands in a file, its fields in their order. */
export function written(config: Kubeconfig): Entry {
  const list = (section: Section): readonly Entry[] | null => {
    const names = [...config[section].keys()].sort();
    const entry = (name: string): Entry => writtenEntry(sections[section], config[section].get(name) ?? {});
    return names.length === 0 ? null : names.map((name) => ({ name, [entryNames[section]]: entry(name) }));
  };
  return {
    ...{ kind: 'Config', apiVersion: 'v1', preferences: config.preferences },
    ...{ clusters: list('clusters'), users: list('users'), contexts: list('contexts') },
    'current-context': config.current,
  };
}

const writtenEntry = (fields: readonly Field[], entry: Entry): Entry =>
  Object.fromEntries(
    fields.flatMap(({ name, always }) => {
      const value = getOwn(entry, name);
      if (isEmpty(value)) return always ? [[name, '']] : [];
      return [[name, value]];
    }),
  );

/** A configuration without what is secret or too long to read. */
export function shortened(config: Kubeconfig): Kubeconfig {
  const short = (section: Section): Entries =>
    new Map([...config[section]].map(([name, entry]) => [name, hidden(sections[section], entry)]));
  return { ...config, clusters: short('clusters'), users: short('users'), contexts: short('contexts') };
}

const hidden = (fields: readonly Field[], entry: Entry): Entry =>
  Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [name, fields.find((each) => each.name === name)?.shown ?? value]),
  );

/** Only what the current context uses. Throws CommandError where something of it is missing. */
export function minified(config: Kubeconfig): Kubeconfig {
  if (config.current === '') throw complaint('current-context must exist in order to minify');
  const context = config.contexts.get(config.current);
  if (!context) throw complaint(`cannot locate context ${config.current}`);
  const only = (section: 'clusters' | 'users', name: string): Entries => {
    if (name === '') return new Map();
    const entry = config[section].get(name);
    if (!entry) throw complaint(`cannot locate ${entryNames[section]} ${name}`);
    return new Map([[name, entry]]);
  };
  return {
    ...config,
    contexts: new Map([[config.current, context]]),
    clusters: only('clusters', textOf(context, 'cluster')),
    users: only('users', textOf(context, 'user')),
  };
}

/** A configuration with another entry, or without one. */
export function withEntry(config: Kubeconfig, section: Section, name: string, entry: Entry | undefined): Kubeconfig {
  const entries = new Map(config[section]);
  if (entry) entries.set(name, entry);
  else entries.delete(name);
  return { ...config, [section]: entries };
}

/** A field that holds text; empty where there is none. */
export function textOf(entry: Entry | undefined, field: string): string {
  const value = entry && getOwn(entry, field);
  return typeof value === 'string' ? value : '';
}
