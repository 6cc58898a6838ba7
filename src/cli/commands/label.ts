/** `label` and `annotate`. */
import { namesFiles } from '../server/manifests.ts';
import type { ApiObject } from '../../schema/index.ts';
import { mergePatch } from '../../merge/index.ts';
import { getOwn } from '../../std/index.ts';
import { command, type Call, type Command } from '../command/command.ts';
import { dryRunFlag, dryRunNote, dryRunOf } from '../command/dryRun.ts';
import { forEach } from '../command/each.ts';
import { complaint } from '../command/errors.ts';
import { text, toggle } from '../command/flags.ts';
import { splitPairs, type Pairs } from '../command/pairs.ts';
import { recordFlags, recordPatch } from '../command/record.ts';
import { resultFlags, resultPrinter, type ResultPrinter } from '../output/result.ts';
import { liveOrLocal, localFlag, selectionFlags, type Found } from '../server/selected.ts';

const flags = {
  ...selectionFlags,
  ...recordFlags,
  'dry-run': dryRunFlag,
  'field-manager': text(),
  local: localFlag,
  list: toggle(),
  ...resultFlags,
  overwrite: toggle(),
  'resource-version': text(),
};

type Values = Readonly<Record<string, string>>;

/** What differs between `label` and `annotate`. */
interface Words {
  readonly name: 'label' | 'annotate';
  readonly field: 'labels' | 'annotations';
  readonly noun: string;
  readonly done: string;
  readonly bothWays: (keys: readonly string[]) => string;
  readonly present: (problems: readonly string[]) => string;
  /** The message for an unchanged object. */
  readonly unchanged: string;
  readonly check: (pairs: Pairs) => void;
}

export const label = declare({
  ...{ name: 'label', field: 'labels', noun: 'label', done: 'labeled', unchanged: 'not labeled' },
  bothWays: () => 'can not both modify and remove a label in the same command',
  present: ([first = '']) => first,
  check: ({ set }) => {
    for (const [key, value] of set)
      if (value.includes('=')) throw complaint(`invalid label spec: ${key}=${value}`);
      else if (!/^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/.test(value))
        throw badValue(`${key}=${value}`, value);
  },
});

const badValue = (pair: string, value: string): Error =>
  complaint(
    `invalid label value: ${JSON.stringify(pair)}: ${
      value.length > 63
        ? 'must be no more than 63 characters'
        : "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
    }`,
  );

export const annotate = declare({
  ...{ name: 'annotate', field: 'annotations', noun: 'annotation', done: 'annotated', unchanged: 'annotated' },
  bothWays: (keys) =>
    `can not both modify and remove the following ${keys.length > 1 ? 'annotations' : 'annotation(s)'} in the same command: ${keys.join(', ')}`,
  present: (problems) => `--overwrite is false but found the following declared annotation(s): ${problems.join('; ')}`,
  check: () => undefined,
});

function declare(words: Words): Command {
  return command({
    name: words.name,
    flags,
    run: async (call) => {
      const { before, pairs } = splitPairs(call.args);
      check(words, call, before, pairs);
      // As in the reference, each labeled object has a printer of its own: documents of YAML do not stand apart.
      const newPrinter = (): Promise<ResultPrinter> => resultPrinter(call.session, call.flags);
      const shared = await newPrinter();
      const found = await liveOrLocal(call, call.flags.local ? [] : before);
      if (call.flags['resource-version'] !== '' && found.length > 1)
        throw complaint('--resource-version may only be used with a single resource');
      await forEach(found, async (each) => {
        if (call.flags.list)
          return call.session.out(listText(words, listed(words, call, each, pairs), found.length === 1));
        const { object, did } = await change(words, call, each, pairs);
        const note = words.name === 'annotate' ? dryRunNote(dryRunOf(call.flags['dry-run'])) : '';
        const printer = words.name === 'label' ? await newPrinter() : shared;
        printer.print({ resource: each.resource, object }, did + note);
      });
    },
  });
}

type LabelCall = Call<typeof flags>;

function check(words: Words, { flags }: LabelCall, before: readonly string[], pairs: Pairs): void {
  if (before.length === 0 && !namesFiles(flags))
    throw complaint('one or more resources must be specified as <resource> <name> or <resource>/<name>');
  if (words.name === 'annotate' && flags.local && !namesFiles(flags))
    throw complaint('can only use local files by -f rsrc.yaml or --filename=rsrc.json when --local=true is set');
  if (flags.all && flags.selector !== '') throw complaint('cannot set --all and --selector at the same time');
  const both = pairs.removed.filter((key) => pairs.set.has(key));
  if (both.length > 0) throw complaint(words.bothWays(both));
  words.check(pairs);
  if (pairs.set.size + pairs.removed.length === 0 && !flags.list)
    throw complaint(`at least one ${words.noun} update is required`);
}

/** The object as it would be: a list of the values changes nothing. */
function listed(words: Words, { flags: given }: LabelCall, found: Found, pairs: Pairs): Found {
  if (!given.overwrite) checkPresent(words, valuesOf(words, found.object), pairs);
  return { ...found, object: locally(words, found.object, pairs) };
}

const valuesOf = ({ field }: Words, object: ApiObject): Values => object.metadata[field] ?? {};

function listText(words: Words, { resource, name, object }: Found, single: boolean): string {
  const indent = single ? '' : ' ';
  const head = single ? '' : `Listing ${words.field} for ${resource.kind}.${resource.group}/${name}:\n`;
  const entries = Object.entries(valuesOf(words, object)).sort(([a], [b]) => (a < b ? -1 : 1));
  return head + entries.map(([key, value]) => `${indent}${key}=${value}\n`).join('');
}

async function change(
  words: Words,
  call: LabelCall,
  { resource, object }: Found,
  pairs: Pairs,
): Promise<{ readonly object: ApiObject; readonly did: string }> {
  const { client, session, flags: given } = call;
  const values = valuesOf(words, object);
  const removed = pairs.removed.filter((key) => getOwn(values, key) !== undefined);
  if (words.name === 'label')
    for (const key of pairs.removed)
      if (!removed.includes(key)) session.out(`label ${JSON.stringify(key)} not found.\n`);
  if (!given.overwrite) checkPresent(words, values, pairs);
  const set = [...pairs.set].filter(([key, value]) => getOwn(values, key) !== value);
  const revision = given['resource-version'];
  if (set.length + removed.length === 0 && revision === '') return { object, did: words.unchanged };
  if (given.local) return { object: locally(words, object, pairs), did: words.done };
  const changes = Object.fromEntries([...set, ...removed.map((key) => [key, null] as const)]);
  const metadata = { [words.field]: changes, ...(revision === '' ? {} : { resourceVersion: revision }) };
  const dryRun = dryRunOf(given['dry-run']);
  // A dry run must not report as done what the server would refuse.
  const options = {
    dryRun: dryRun !== 'none',
    fieldManager: given['field-manager'] || `${session.program}-${words.name}`,
  };
  const body = mergePatch({ metadata }, recordPatch(call) ?? {});
  return { object: await client.of(resource).patch(object, 'merge', body, options), did: words.done };
}

function locally(words: Words, object: ApiObject, { set, removed }: Pairs): ApiObject {
  const kept = Object.entries(valuesOf(words, object)).filter(([key]) => !removed.includes(key));
  return { ...object, metadata: { ...object.metadata, [words.field]: Object.fromEntries([...kept, ...set]) } };
}

function checkPresent(words: Words, values: Values, { set }: Pairs): void {
  const problems = [...set.keys()].flatMap((key) => {
    const value = getOwn(values, key);
    if (value === undefined) return [];
    return [`'${key}' already has a value (${value})${words.name === 'label' ? ', and --overwrite is false' : ''}`];
  });
  if (problems.length > 0) throw complaint(words.present(problems));
}
