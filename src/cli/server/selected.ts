/** The objects that a command changes: by files, by names, by labels, or all of a type. */
import type { DiscoveredResource } from '../../client/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import type { Call } from '../command/command.ts';
import { complaint } from '../command/errors.ts';
import { text, toggle, type Flags, type Values } from '../command/flags.ts';
import { chosenBy, fileFlags, filesOf, namesFiles, readManifests } from './manifests.ts';
import { fetchObjects } from './tables.ts';
import { readTargets } from './targets.ts';

/** The flags by which objects are selected. */
export const selectionFlags = {
  ...fileFlags,
  all: toggle(),
  'field-selector': text(),
  selector: text({ short: 'l' }),
} as const satisfies Flags;

export const localFlag = toggle();

/** A command may have only some of these flags. */
type SelectionCall = Call & { readonly flags: Partial<Values<typeof selectionFlags>> };

/** An object, and where it is. */
export interface Selected {
  readonly resource: DiscoveredResource;
  readonly namespace: string;
  readonly name: string;
  /** The object as the server has it; undefined for one that was given by name and not read. */
  readonly object: ApiObject | undefined;
  /** The path of the file that names it; empty for others. */
  readonly source: string;
}

export interface Found extends Selected {
  readonly object: ApiObject;
}

/** The objects that arguments or files name. Those given by name are not read. Throws CommandError. */
export async function namedObjects(
  call: SelectionCall,
  words: readonly string[],
  everywhere = false,
): Promise<readonly (Selected | Error)[]> {
  const { all = false, selector = '', 'field-selector': fieldSelector = '' } = call.flags;
  const files = filesOf(call);
  if (namesFiles(files.flags)) {
    if (words.length > 0)
      throw complaint(
        'when paths, URLs, or stdin is provided as input, you may not specify a resource by arguments as well',
      );
    const manifests = chosenBy(selector, await readManifests(files, false));
    return manifests.map((each) =>
      each instanceof Error ? each : { ...each, name: each.object.metadata?.name ?? '', object: undefined },
    );
  }
  const selects = all || selector !== '' || fieldSelector !== '';
  if (words.length === 0)
    throw complaint(selects ? 'at least one resource must be specified to use a selector' : NOTHING_NAMED);
  const { list } = await readTargets(call, words, { selects, allNamespaces: everywhere });
  if (!selects && list.some(({ name }) => name === undefined))
    throw complaint('resource(s) were provided, but no name, label selector, or --all flag specified');
  const selected: (Selected | Error)[] = [];
  for (const target of list) {
    if (target.name !== undefined) selected.push({ ...target, name: target.name, object: undefined, source: '' });
    else selected.push(...(await listed(call, target)));
  }
  return selected;
}

export const NOTHING_NAMED = `You must provide one or more resources by argument or filename.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'
   '<resource> <name>'
   '<resource>'`;

const NO_FILE_NAMED = `you must specify resources by --filename when --local is set.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'`;

async function listed(
  { client, flags }: SelectionCall,
  target: Pick<Selected, 'resource' | 'namespace'>,
): Promise<readonly (Found | Error)[]> {
  const selectors = { labelSelector: flags.selector ?? '', fieldSelector: flags['field-selector'] ?? '' };
  try {
    const objects = await fetchObjects(client, target, selectors);
    return objects.map((object) => ({
      resource: target.resource,
      namespace: object.metadata.namespace ?? '',
      name: object.metadata.name ?? '',
      object,
      source: '',
    }));
  } catch (error) {
    return [asError(error)];
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** As `namedObjects`, with each object as the server has it now. */
export async function selectedObjects(
  call: SelectionCall,
  words: readonly string[],
  everywhere = false,
): Promise<readonly (Found | Error)[]> {
  // Labels count as the server has them, not as a file has them.
  const selector = namesFiles(filesOf(call).flags) ? (call.flags.selector ?? '') : '';
  const named = selector === '' ? call : { ...call, flags: { ...call.flags, selector: '' } };
  const found: (Found | Error)[] = [];
  for (const each of await namedObjects(named, words, everywhere)) {
    if (each instanceof Error) found.push(each);
    else
      try {
        const object = each.object ?? (await call.client.of(each.resource).get(each.name, each.namespace));
        found.push({ ...each, object });
      } catch (error) {
        found.push(asError(error));
      }
  }
  return chosenBy(selector, found);
}

/** As `selectedObjects`; a type alone stands for all objects of it. */
export const selectedOrAll = (call: SelectionCall, words: readonly string[]): ReturnType<typeof selectedObjects> =>
  selectedObjects({ ...call, flags: { ...call.flags, all: words.length === 1 && !words[0]?.includes('/') } }, words);

/** As `selectedObjects`; with `--local`, the objects as they are in the files. */
export async function liveOrLocal(
  call: SelectionCall & { readonly flags: Values<{ readonly local: typeof localFlag }> },
  words: readonly string[],
  everywhere = false,
): Promise<readonly (Found | Error)[]> {
  if (!call.flags.local) return selectedObjects(call, words, everywhere);
  const files = filesOf(call);
  if (!namesFiles(files.flags)) throw complaint(words.length > 0 ? NO_FILE_NAMED : NOTHING_NAMED);
  const manifests = await readManifests(files, false);
  return manifests.map((each) =>
    each instanceof Error ? each : { ...each, object: each.plain, name: each.plain.metadata?.name ?? '' },
  );
}
