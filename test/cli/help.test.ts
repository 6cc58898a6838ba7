import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commands, run, type Command, type Session } from '../../src/cli/index.ts';
import { parseDuration } from '../../src/cli/command/flags.ts';
import { namesOf, type Profile } from '../../src/names/index.ts';
import { realClock } from '../../src/std/index.ts';
import { inMemory } from './ours.ts';

const said = (...words: readonly string[]): Promise<string> => saidBy('k8s.io', 'kubectl', words);

async function saidBy(profile: Profile, program: string, words: readonly string[]): Promise<string> {
  let text = '';
  const add = (more: string): void => void (text += more);
  const session: Session = {
    ...{ program, names: namesOf(profile), clock: realClock(), namespace: 'default' },
    transport: () => Promise.reject(new Error('help asks no server')),
    files: inMemory({}),
    signal: new AbortController().signal,
    ...{ out: add, err: add, input: async () => '' },
  };
  await run(commands, words, session);
  return text;
}

test.each([
  ['the program lists its commands', [], ['Deploy Commands:', '  get ', '  rollout ']],
  ['--help is the same', ['--help'], ['  drain ']],
  ['commands that the reference has not are listed apart', ['--help'], ['Added Commands:\n  events ']],
  ['groups list them, too', ['auth', '--help'], ['  can-i ', 'Added Commands:\n  who-can ']],
  ['a command tells its options', ['get', '-h'], ['  -o, --output=', 'Usage:\n  kubectl get [']],
  ['help before a command', ['help', 'rollout', 'undo'], ['Usage:\n  kubectl rollout undo']],
  ['help about a word that is no command', ['help', 'create', 'nosuch'], ['Usage:\n  kubectl create -f']],
  ['help about nothing that there is', ['help', 'nosuch'], ['Unknown help topic [`nosuch`]\n\n\nBasic Commands']],
  ['a group lists what is under it', ['rollout'], ['  status ', 'kubectl rollout SUBCOMMAND']],
  ['a command with others under it does too', ['create', '--help'], ['  configmap ', '  -f, --filename=[]']],
  ['create without anything to create', ['create'], ['Error: must specify one of -f and -k\n\nCreate a resource']],
  ['a wrong flag before help', ['get', '--nosuch', '-h'], ['Error: unknown flag: --nosuch']],
  ['a command of our own', ['events', '--help'], ['      --for=', 'Usage:\n  kubectl events [options]']],
  ['options of every command', ['options'], ['  -n, --namespace=', '--token=', '--as=']],
] as const)('%s', async (_, words, parts) => {
  const text = await said(...words);
  for (const part of parts) expect(text).toContain(part);
});

test('the help of the neutral profile has its names and the program as it was called', async () => {
  const text = await saidBy('cluster.io', 'clusterctl', ['rollout', 'pause', '--help']);
  expect(text).toContain('  clusterctl rollout pause deployment/');
  expect(text).toContain("--field-manager='clusterctl-rollout'");
  expect(text).not.toContain('kube');
});

test('options of every command are not told with each', async () => {
  expect(await said('get', '--help')).not.toContain('--token');
});

test('help behind -- belongs to the command in the container', async () => {
  expect(await said('exec', 'web', '--', 'ls', '--help')).not.toContain('Usage:');
});

describe('a command has the flags that its help tells of', () => {
  const texts = JSON.parse(readFileSync('src/cli/help/recorded.json', 'utf8')) as Readonly<Record<string, string>>;
  const everywhere = flagsIn(texts['options'] ?? '').map(({ name }) => name);
  // The reference's client has these as well, and does not tell of them.
  const hidden = ['generator', 'replicas', 'schedule', 'delete-local-data'];

  test.each(pathsOf(commands).filter(([path]) => texts[path] !== undefined))('%s', (path, { flags }) => {
    const told = flagsIn(texts[path] ?? '');
    const names = told.map(({ name }) => name);
    const declared = Object.entries(flags)
      .filter(([name]) => names.includes(name) || !(everywhere.includes(name) || hidden.includes(name)))
      .map(([name, { short, initial }]) => ({ name, short, initial: written(name, initial) }));
    expect(byName(declared)).toEqual(byName(told));
  });
});

interface ToldFlag {
  readonly name: string;
  readonly short: string | undefined;
  readonly initial: string;
}

const byName = (flags: readonly ToldFlag[]): readonly ToldFlag[] =>
  flags.toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** Durations are compared in milliseconds; the name of a field's manager follows from the program's. */
const flagsIn = (help: string): readonly ToldFlag[] =>
  [...help.matchAll(/^(?: {2}-(\w), | {6})--([a-z0-9-]+)=(.*?): /gm)].map(([, short, name = '', initial = '']) => ({
    ...{ name, short },
    initial: name === 'field-manager' ? "''" : /^\d+(m\d+)?s$/.test(initial) ? String(parseDuration(initial)) : initial,
  }));

function written(name: string, initial: unknown): string {
  // A map of the reference, which prints nothing where it is empty.
  if (name === 'aggregation-rule') return '';
  if (initial instanceof Map) return '[]';
  if (Array.isArray(initial)) return `[${initial.join(',')}]`;
  return typeof initial === 'string' ? `'${initial}'` : String(initial);
}

const pathsOf = (among: readonly Command[], above = ''): readonly (readonly [path: string, command: Command])[] =>
  among.flatMap((each) => [[above + each.name, each] as const, ...pathsOf(each.subcommands, `${above}${each.name} `)]);
