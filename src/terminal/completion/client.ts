/** What the words of the cluster's client can be: its commands and their flags as they are declared, and what is in the cluster. */
import type { DiscoveredResource } from '../../client/index.ts';
import { commands, type Command } from '../../cli/index.ts';
import { getOwn } from '../../std/index.ts';
import { FORMATS, VERBS, wantedBy, wantedByFlag, type Wanted } from './arguments.ts';
import type { Knowledge } from './cluster.ts';

/** Something that can stand at the place of the cursor. */
export interface Offer {
  readonly text: string;
  /** As it is listed, where it differs. */
  readonly shown?: string;
  /** More of the same word follows. */
  readonly open?: boolean;
}

interface Around {
  readonly knowledge: Knowledge;
  readonly files: () => readonly Offer[];
  /** Of commands that name none. */
  readonly namespace: string;
}

/** What is said before the word that is completed. */
interface Said {
  readonly command: Command | undefined;
  /** The command's path without the client's name. */
  readonly path: string;
  readonly args: readonly string[];
  readonly flags: ReadonlyMap<string, string>;
  /** The flag whose value comes next. */
  readonly pending: string | undefined;
  /** `--` was said: what follows belongs to a container's command. */
  readonly isOver: boolean;
}

/** What can come next; `words` stand before the word that is being typed. */
export async function clientWords(words: readonly string[], word: string, around: Around): Promise<readonly Offer[]> {
  const said = readWords(words);
  if (said.isOver) return [];
  const namespace = said.flags.get('namespace') ?? around.namespace;
  const here = { ...around, namespace };
  if (said.pending !== undefined) return valuesOf(wantedByFlag(said.pending), word, said, here);
  const [, flag, value] = /^--([\w-]+)=(.*)$/s.exec(word) ?? [];
  if (flag !== undefined && value !== undefined) {
    const values = await valuesOf(wantedByFlag(flag), value, said, here);
    return values.map((offer) => ({ shown: offer.text, ...offer, text: `--${flag}=${offer.text}` }));
  }
  if (word.startsWith('-')) return flagsOf(said.command);
  const below = said.command ? said.command.subcommands : commands;
  if (below.length > 0) return below.map(({ name }) => ({ text: name }));
  return valuesOf(wantedBy(said.path), word, said, here);
}

function readWords(words: readonly string[]): Said {
  let command: Command | undefined;
  const path: string[] = [];
  const args: string[] = [];
  const flags = new Map<string, string>();
  let pending: string | undefined;
  for (const word of words) {
    if (word === '--') return { command, path: path.join(' '), args, flags, pending: undefined, isOver: true };
    if (pending !== undefined) {
      flags.set(pending, word);
      pending = undefined;
    } else if (word.startsWith('-') && word !== '-') pending = readFlag(command, word, flags);
    else {
      const below: readonly Command[] = command ? command.subcommands : commands;
      const next = below.find(({ name, aliases }) => name === word || aliases.includes(word));
      if (next) {
        command = next;
        path.push(next.name);
      } else args.push(word);
    }
  }
  return { command, path: path.join(' '), args, flags, pending, isOver: false };
}

/** Remembers a flag; returns its name where its value is the next word. */
function readFlag(command: Command | undefined, word: string, flags: Map<string, string>): string | undefined {
  const known = command?.flags ?? commands[0]?.flags ?? {};
  const [, long, value] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
  const letter = word.charAt(1);
  const name = long ?? Object.keys(known).find((each) => getOwn(known, each)?.short === letter);
  if (name === undefined) return undefined;
  const given = value ?? (long === undefined ? word.slice(2).replace(/^=/, '') : '');
  if (given !== '') flags.set(name, given);
  else if (getOwn(known, name)?.alone === undefined && value === undefined) return name;
  return undefined;
}

/** Those that take a value end with what comes before it. */
function flagsOf(command: Command | undefined): readonly Offer[] {
  const known = command?.flags ?? commands[0]?.flags ?? {};
  return Object.entries(known)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, { short, alone }]) => [
      alone === undefined ? { text: `--${name}=`, open: true } : { text: `--${name}` },
      ...(short === undefined ? [] : [{ text: `-${short}` }]),
    ]);
}

async function valuesOf(wanted: Wanted, word: string, said: Said, around: Around): Promise<readonly Offer[]> {
  const { knowledge, namespace } = around;
  switch (wanted) {
    case 'objects':
      return objects(word, said.args, around);
    case 'pods':
      return said.args.length > 0 && !said.path.startsWith('top') ? [] : pods(word, around);
    case 'debugged':
      return said.args.length > 0 ? [] : debugged(word, around);
    case 'nodes':
      return namesOf('nodes', '', knowledge);
    case 'types':
      return said.args.length > 0 ? [] : types(knowledge, '');
    case 'namespaces':
      return namesOf('namespaces', '', knowledge);
    case 'requests':
      return namesOf('certificatesigningrequests', '', knowledge);
    case 'containers':
      return containers(said, around, namespace);
    case 'formats':
      return FORMATS.map((text) => ({ text, open: text.endsWith('=') }));
    case 'verbs':
      return said.args.length === 0 ? VERBS.map((text) => ({ text })) : types(knowledge, '');
    case 'files':
      return around.files();
    case 'nothing':
      return [];
  }
}

/** `pods web-0`, `pods,svc`, `pod/web-0`. */
async function objects(
  word: string,
  args: readonly string[],
  { knowledge, namespace }: Around,
): Promise<readonly Offer[]> {
  const slash = word.indexOf('/');
  if (slash > 0) {
    const type = word.slice(0, slash);
    return (await namesOf(type, namespace, knowledge)).map(({ text }) => ({ text: `${type}/${text}`, shown: text }));
  }
  const [type] = args.filter((arg) => !arg.includes('/'));
  if (type !== undefined) return namesOf(type.split(',')[0] ?? '', namespace, knowledge);
  return args.length > 0 ? [] : types(knowledge, word.slice(0, word.lastIndexOf(',') + 1));
}

/** A pod by its name, or `type/name` of what runs pods. */
async function pods(word: string, around: Around): Promise<readonly Offer[]> {
  if (word.includes('/')) return objects(word, [], around);
  const names = await namesOf('pods', around.namespace, around.knowledge);
  return [...names, ...['deployment/', 'statefulset/', 'daemonset/', 'job/'].map((text) => ({ text, open: true }))];
}

/** A pod, or a node as `node/name`. */
async function debugged(word: string, around: Around): Promise<readonly Offer[]> {
  const named = await pods(word, around);
  return word.includes('/') ? named : [...named, { text: 'node/', open: true }];
}

/** All types; `before` are those that were named already: `pods,`. */
async function types(knowledge: Knowledge, before: string): Promise<readonly Offer[]> {
  const resources = await knowledge.resources();
  return resources
    .map((resource) => ({ text: `${before}${nameOf(resource, resources)}` }))
    .sort((a, b) => (a.text < b.text ? -1 : 1));
}

/** A name that two groups share is listed with its group, except for the one that the plain name means. */
function nameOf(resource: DiscoveredResource, all: readonly DiscoveredResource[]): string {
  const first = all.find((each) => each.resource === resource.resource);
  return first === resource ? resource.resource : `${resource.resource}.${resource.group}`;
}

async function namesOf(type: string, namespace: string, knowledge: Knowledge): Promise<readonly Offer[]> {
  const resource = await knowledge.resource(type);
  return resource ? (await knowledge.names(resource, namespace)).map((text) => ({ text })) : [];
}

async function containers({ args }: Said, { knowledge }: Around, namespace: string): Promise<readonly Offer[]> {
  const [pod] = args;
  if (pod === undefined) return [];
  return (await knowledge.containers(pod.replace(/^pods?\//, ''), namespace)).map((text) => ({ text }));
}
