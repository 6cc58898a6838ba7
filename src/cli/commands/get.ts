import type { DiscoveredResource } from '../../client/index.ts';
import { StatusError, type ApiObject } from '../../schema/index.ts';
import { command, type Call } from '../command/command.ts';
import { amongOthers, complaint, describeError, misused } from '../command/errors.ts';
import { integer, text, texts, toggle } from '../command/flags.ts';
import { formatOf, type Format } from '../output/format.ts';
import { relaxedPath } from '../output/jsonPath/index.ts';
import { sortedBy } from '../output/sorting.ts';
import { TablePrinter } from '../output/table.ts';
import { humanDuration } from '../output/text.ts';
import { choosing, fileFlags, namedInFiles, namesFiles, type Named } from '../server/manifests.ts';
import { checkPath, printAnswer, rawFlag } from '../server/raw.ts';
import { groupVersionOf } from '../server/served.ts';
import { fetchObjects, fetchTable, type Selectors, type ServerTable, type TableRow } from '../server/tables.ts';
import { nothingNamed, readTargets, type Target } from '../server/targets.ts';
import { watchObjects, watchTables } from '../server/watching.ts';

const flags = {
  ...fileFlags,
  'all-namespaces': toggle({ short: 'A' }),
  'allow-missing-template-keys': toggle({
    initial: true,
  }),
  'chunk-size': integer({ initial: 500 }),
  'field-selector': text(),
  'ignore-not-found': toggle(),
  'label-columns': texts({ short: 'L', separator: ',' }),
  'no-headers': toggle(),
  output: text({ short: 'o' }),
  'output-watch-events': toggle(),
  raw: rawFlag,
  selector: text({ short: 'l' }),
  'server-print': toggle({ initial: true }),
  'show-kind': toggle(),
  'show-labels': toggle(),
  'sort-by': text(),
  template: text(),
  watch: toggle({ short: 'w' }),
  'watch-only': toggle(),
};

type GetCall = Call<typeof flags>;

/** What was found, and what could not be had. */
interface Found<T> {
  readonly results: readonly T[];
  readonly problems: readonly unknown[];
}

export const get = command({
  name: 'get',
  flags,
  run: async (call) => {
    if (call.given.has('raw')) return printRaw(call);
    const watches = call.flags.watch || call.flags['watch-only'];
    if (call.flags['output-watch-events'] && !watches)
      throw misused('--output-watch-events option can only be used with --watch or --watch-only', call.path);
    if (call.flags['show-labels'] && !['', 'wide'].includes(call.flags.output))
      throw complaint(`--show-labels option cannot be used with ${call.flags.output} printer`);
    const { targets, problems: unread } = await targetsOf(call);
    const resources = new Map(
      targets.map(({ resource }) => [`${groupVersionOf(resource)} ${resource.kind}`, resource]),
    );
    const format = await formatOf(call.flags.output, call.session.files, {
      headers: !call.flags['no-headers'],
      template: call.flags.template,
      missing: call.flags['allow-missing-template-keys'],
      nameOf: (object) => nameOf(object, resources),
    });
    // Only tables show what could be read.
    if (unread[0] && (watches || format)) throw unread[0];
    if (watches) return watch(call, targets, format);
    const asked = await (format
      ? printFormatted(call, targets, format)
      : printTables(call, targets, unread.length > 0));
    const problems = [...asked, ...unread.map(amongOthers)];
    if (problems.length > 0) throw new AggregateError(problems, problems.map(describeError).join('\n'));
  },
});

/** What the words or the files name. */
async function targetsOf(call: GetCall): Promise<Named> {
  if (namesFiles(call.flags)) return namedInFiles(call);
  if (call.args.length === 0) throw nothingNamed(call);
  const selects = call.flags.selector !== '' || call.flags['field-selector'] !== '';
  const { list } = await readTargets(call, call.args, { allNamespaces: call.flags['all-namespaces'], selects });
  return { targets: list, problems: [] };
}

/** The answer to a path, as the server gives it. */
async function printRaw(call: GetCall): Promise<void> {
  const { args, flags: given, path } = call;
  if (args.length > 0) throw complaint('arguments may not be passed when --raw is specified');
  if (given.output !== '') throw misused('--raw and --output are mutually exclusive', path);
  checkPath(given.raw, path);
  await printAnswer(call, given.raw);
}

/** `deployment.apps/web`. */
function nameOf({ apiVersion, kind, metadata }: ApiObject, resources: ReadonlyMap<string, DiscoveredResource>): string {
  const group = resources.get(`${apiVersion} ${kind}`)?.group ?? '';
  return `${kind?.toLowerCase()}${group === '' ? '' : `.${group}`}/${metadata.name}`;
}

const selectorsOf = ({ flags: { selector, 'field-selector': fieldSelector } }: GetCall): Selectors => ({
  labelSelector: selector,
  fieldSelector,
});

/** Whether the selector chooses an object that a file names; the server has chosen the others. */
const choosingIn = ({ flags: given }: GetCall): ReturnType<typeof choosing> =>
  choosing(namesFiles(given) ? given.selector : '');

/** Asks for each target; what is refused does not keep the others from being shown. */
async function each<T>(
  call: GetCall,
  targets: readonly Target[],
  ask: (target: Target) => Promise<T>,
): Promise<Found<T>> {
  const results: T[] = [];
  const problems: unknown[] = [];
  for (const target of targets) {
    try {
      results.push(await ask(target));
    } catch (error) {
      const ignored = call.flags['ignore-not-found'] && error instanceof StatusError && error.status.code === 404;
      if (!ignored) problems.push(error);
    }
  }
  return { results, problems };
}

async function printFormatted(call: GetCall, targets: readonly Target[], format: Format): Promise<readonly unknown[]> {
  const options = { ...selectorsOf(call), chunkSize: call.flags['chunk-size'] };
  const chosen = choosingIn(call);
  const { results, problems } = await each(call, targets, (target) => fetchObjects(call.client, target, options));
  const sortBy = call.flags['sort-by'];
  const found = results.flat().filter(chosen);
  const objects = sortBy === '' ? found : sortedBy(found, relaxedPath(sortBy), (object) => object);
  const single = namesFiles(call.flags) ? found.length === 1 : targets.length === 1 && targets[0]?.name !== undefined;
  if (results.length > 0) call.session.out(format(objects, single));
  return problems;
}

async function printTables(
  call: GetCall,
  targets: readonly Target[],
  hasProblems: boolean,
): Promise<readonly unknown[]> {
  const sortBy = call.flags['sort-by'];
  // The reference looks for the path in the lists where there are several.
  if (sortBy !== '' && targets.length > 1)
    throw complaint(`couldn't find any field with path ${JSON.stringify(relaxedPath(sortBy))} in the list of objects`);
  const options = { ...selectorsOf(call), chunkSize: call.flags['chunk-size'], whole: sortBy !== '' };
  const chosen = choosingIn(call);
  const isPrinted = call.flags['server-print'];
  const { results, problems } = await each(call, targets, async (target) => {
    const table = await (isPrinted ? fetchTable(call.client, target, options) : ownTable(call, target, options));
    // As in the reference, where it is the server's table that has no labels.
    const rows = table.rows.filter(({ object }) => chosen(isPrinted && sortBy === '' ? {} : object));
    return { resource: target.resource, table: { ...table, rows } };
  });
  const mixed = new Set(results.map(({ resource }) => resource)).size > 1;
  const filled = joinTables(results).flatMap(({ resource, table }) => {
    const rows = sortedRows(table.rows, sortBy);
    return rows.length === 0 ? [] : [printerFor(call, resource, mixed).print({ ...table, rows })];
  });
  call.session.out(filled.join(call.flags['no-headers'] ? '' : '\n'));
  if (filled.length === 0 && problems.length === 0 && !hasProblems && !call.flags['ignore-not-found'])
    sayNothingFound(call, targets);
  return problems;
}

/** Names and ages, for whoever does not want the server's table. */
async function ownTable(
  { client, session }: GetCall,
  target: Target,
  options: Parameters<typeof fetchObjects>[2],
): Promise<ServerTable> {
  const objects = await fetchObjects(client, target, options);
  const columns = ['Name', 'Age'].map((name) => ({ name, type: 'string', format: '', priority: 0 }));
  const age = (created: string | null | undefined): string =>
    created ? humanDuration(session.clock.now() - Date.parse(created)) : '<unknown>';
  const rows = objects.map((object) => ({
    object,
    cells: [object.metadata.name, age(object.metadata.creationTimestamp)],
  }));
  return { columns, rows };
}

interface ResourceTable {
  readonly resource: DiscoveredResource;
  readonly table: ServerTable;
}

/** Rows of one resource that were asked for one after the other stand in one table. */
function joinTables(tables: readonly ResourceTable[]): readonly ResourceTable[] {
  const joined: ResourceTable[] = [];
  for (const next of tables) {
    const last = joined.at(-1);
    if (last?.resource !== next.resource) joined.push(next);
    else {
      const table = { ...last.table, rows: [...last.table.rows, ...next.table.rows] };
      joined.splice(-1, 1, { ...last, table });
    }
  }
  return joined;
}

/** As the reference does, a path that is in no row shows none. */
function sortedRows(rows: readonly TableRow[], path: string): readonly TableRow[] {
  if (path === '') return rows;
  try {
    return sortedBy(rows, path, (row) => row.object);
  } catch {
    return [];
  }
}

function sayNothingFound({ session, namespace, flags: given }: GetCall, targets: readonly Target[]): void {
  const everywhere = given['all-namespaces'] || targets.some(({ resource }) => !resource.namespaced);
  session.err(everywhere ? 'No resources found\n' : `No resources found in ${namespace} namespace.\n`);
}

function printerFor({ flags: given }: GetCall, resource: DiscoveredResource, mixed: boolean): TablePrinter {
  const type = resource.kind.toLowerCase() + (resource.group === '' ? '' : `.${resource.group}`);
  return new TablePrinter({
    wide: given.output === 'wide',
    headers: !given['no-headers'],
    namespaces: given['all-namespaces'] && resource.namespaced,
    prefix: mixed || given['show-kind'] ? `${type}/` : '',
    labels: given['show-labels'],
    labelColumns: given['label-columns'],
  });
}

/** An event as formats print it: with the object in it. */
const eventObject = (type: string, object: ApiObject): ApiObject =>
  ({ type, object }) as Partial<ApiObject> as ApiObject;

async function watch(call: GetCall, targets: readonly Target[], format: Format | undefined): Promise<void> {
  const [target, ...more] = targets;
  if (!target) return;
  if (more.length > 0) throw complaint('you may only specify a single resource type');
  const { client, session } = call;
  const tellsEvents = call.flags['output-watch-events'];
  const options = { ...selectorsOf(call), signal: session.signal, listFirst: !call.flags['watch-only'] };
  if (format) {
    for await (const { object, event } of watchObjects(client, target, options))
      session.out(tellsEvents ? format([eventObject(event, object)], true) : format([object], true));
    return;
  }
  const printer = printerFor(call, target.resource, false);
  for await (const table of watchTables(client, target, options))
    session.out(printer.print(table, tellsEvents ? table.event : undefined));
}
