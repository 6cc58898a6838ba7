/** `taint`. */
import { mergePatch } from '../../merge/index.ts';
import { checkLabelValue, checkQualifiedName, type ApiObject, type objects } from '../../schema/index.ts';
import { command, type Call } from '../command/command.ts';
import { dryRunFlag, dryRunOf } from '../command/dryRun.ts';
import { forEach } from '../command/each.ts';
import { CommandError, complaint, misused } from '../command/errors.ts';
import { text, toggle } from '../command/flags.ts';
import { isPair } from '../command/pairs.ts';
import { resultFlags, resultPrinter } from '../output/result.ts';
import { selectedObjects, selectionFlags, type Found } from '../server/selected.ts';

const flags = {
  all: selectionFlags.all,
  selector: selectionFlags.selector,
  validate: toggle({ initial: true }),
  'dry-run': dryRunFlag,
  'field-manager': text(),
  ...resultFlags,
  overwrite: toggle(),
};

interface Taint {
  readonly key: string;
  readonly value?: string;
  /** Any effect where it is empty, for a taint that goes. */
  readonly effect: string;
}

interface Wanted {
  readonly added: readonly Taint[];
  readonly removed: readonly Taint[];
}

export const taint = command({
  name: 'taint',
  flags,
  run: async (call) => {
    const isSpec = (word: string): boolean => isPair(word) || word.includes(':');
    const first = call.args.findIndex(isSpec);
    const before = first < 0 ? call.args : call.args.slice(0, first);
    if (call.args.length === 0) throw complaint('one or more resources must be specified as <resource> <name>');
    const wanted = parse(call, first < 0 ? [] : call.args.slice(first));
    const [type = ''] = before[0]?.split('/') ?? [];
    if (type !== '' && !['node', 'nodes', 'no'].includes(type))
      throw complaint(`invalid resource type ${type}, only node types are supported`);
    // As in the reference, the first word is a type, and never a pair.
    if (before[0]?.includes('/'))
      throw new CommandError(`the server doesn't have a resource type ${JSON.stringify(before[0])}`);
    if (call.flags.all && call.flags.selector !== '')
      throw new CommandError("error: setting 'all' parameter with a non empty selector is prohibited");
    const printer = await resultPrinter(call.session, call.flags);
    // With these flags names mean nothing.
    const words = call.flags.all || call.flags.selector !== '' ? ['nodes'] : before;
    await forEach(await selectedObjects(call, words), async (each) => {
      const { object, did } = await taintOne(call, each, wanted);
      printer.print({ resource: each.resource, object }, did);
    });
  },
});

const EFFECTS: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function parse({ path }: Call<typeof flags>, specs: readonly string[]): Wanted {
  if (specs.length === 0) throw complaint('at least one taint update is required');
  const added: Taint[] = [];
  const removed: Taint[] = [];
  for (const typed of specs) {
    const goes = typed.endsWith('-');
    const spec = goes ? typed.slice(0, -1) : typed;
    const [pair = '', effect = '', ...more] = spec.split(':');
    // Without an effect there is no value either.
    const [key = '', value] = spec.includes(':') ? pair.split('=') : [pair];
    if (more.length > 0) throw misused(`invalid taint spec: ${spec}`, path);
    if (spec.includes(':') && !EFFECTS.includes(effect))
      throw misused(`invalid taint effect: ${effect}, unsupported taint effect`, path);
    const wrong = checkQualifiedName(key);
    if (wrong.length > 0) throw misused(`invalid taint spec: ${spec}, ${wrong.join('; ')}`, path);
    if (effect === '' && !goes) throw misused(`invalid taint spec: ${spec}`, path);
    const [wrongValue] = value === undefined ? [] : checkLabelValue(value);
    if (wrongValue !== undefined) throw misused(`invalid taint spec: ${spec}, ${wrongValue}`, path);
    const again = added.find((each) => !goes && each.key === key && each.effect === effect);
    if (again)
      throw misused(`duplicated taints with the same key and effect: {${key} ${value ?? ''} ${effect} <nil>}`, path);
    (goes ? removed : added).push({ key, ...(value === undefined || value === '' ? {} : { value }), effect });
  }
  checkApart(added, removed);
  return { added, removed };
}

/** Throws if one taint comes and goes. */
function checkApart(added: readonly Taint[], removed: readonly Taint[]): void {
  const both = removed.filter((each) => added.some((other) => isSame(each, other)));
  if (both.length === 0) return;
  const shown = Object.fromEntries(both.map(({ key, effect }) => [key, effect]));
  throw complaint(
    `can not both modify and remove the following taint(s) in the same command: ${JSON.stringify(shown)}`,
  );
}

const isSame = (a: Taint, b: Taint): boolean => a.key === b.key && (a.effect === '' || a.effect === b.effect);

async function taintOne(
  { client, session, flags: given }: Call<typeof flags>,
  { resource, name, object }: Found,
  { added, removed }: Wanted,
): Promise<{ readonly object: ApiObject; readonly did: string }> {
  const node = object as ApiObject & Partial<Pick<objects.Node, 'spec'>>;
  const present: readonly Taint[] = node.spec?.taints ?? [];
  const replaced = added.filter((each) => present.some((other) => isSame(each, other)));
  if (replaced.length > 0 && !given.overwrite)
    throw complaint(
      `node ${name} already has ${replaced.map(({ key }) => key).join(',')} taint(s) with same effect(s) and --overwrite is false`,
    );
  const missing = removed.find((each) => !present.some((other) => isSame(each, other)));
  if (missing)
    throw complaint(`taint ${JSON.stringify(missing.key + (missing.effect && `:${missing.effect}`))} not found`);
  const kept = present.filter((each) => ![...added, ...removed].some((other) => isSame(other, each)));
  const did =
    replaced.length > 0 || (added.length > 0 && removed.length > 0)
      ? 'modified'
      : added.length > 0
        ? 'tainted'
        : 'untainted';
  const patch = { spec: { taints: [...added, ...kept] } };
  const dryRun = dryRunOf(given['dry-run']);
  if (dryRun === 'client') return { object: mergePatch(object, patch) as ApiObject, did };
  const options = {
    dryRun: dryRun === 'server',
    fieldManager: given['field-manager'] || `${session.program}-taint`,
  };
  return { object: await client.of(resource).patch(object, 'merge', patch, options), did };
}
