/** `cordon` and `uncordon`. */
import type { ApiObject, objects } from '../../schema/index.ts';
import { command, type Call, type Command } from '../command/command.ts';
import { dryRunFlag, dryRunNote, dryRunOf } from '../command/dryRun.ts';
import { allOf, forEach } from '../command/each.ts';
import { complaint, misused } from '../command/errors.ts';
import { text } from '../command/flags.ts';
import { nameWithKind } from '../output/result.ts';
import { selectedObjects, type Found, type selectionFlags } from '../server/selected.ts';
import { wordsOfType } from '../server/targets.ts';

export const nodeFlags = {
  'dry-run': dryRunFlag,
  selector: text({ short: 'l' }),
};

type NodeCall = Call<typeof nodeFlags>;

export const cordon = declare('cordon', 'Mark node as unschedulable', true);
export const uncordon = declare('uncordon', 'Mark node as schedulable', false);

function declare(name: string, summary: string, unschedulable: boolean): Command {
  return command({
    ...{ name, summary },
    flags: nodeFlags,
    run: async (call) => forEach(await namedNodes(call), (node) => setUnschedulable(call, node, unschedulable)),
  });
}

/** The nodes that the words name or the selector chooses. Throws if one of them does not exist. */
export async function namedNodes(call: NodeCall): Promise<readonly Found[]> {
  const { args, path, flags } = call;
  const selects = flags.selector !== '';
  if (args.length === 0 && !selects) throw misused(`USAGE: ${path.split(' ').at(-1)} NODE [flags]`, path);
  if (args.length > 0 && selects) throw misused('cannot specify both a node name and a --selector option', path);
  const initial = { filename: [], kustomize: '', recursive: false, all: false, 'field-selector': '' };
  const chosen = { ...call, flags: { ...call.flags, ...initial } } satisfies Call<typeof selectionFlags>;
  const found = allOf(await selectedObjects(chosen, wordsOfType('nodes', args)));
  checkNodes(found);
  return found;
}

/** Throws if one of them is something else. */
function checkNodes(found: readonly Found[]): void {
  const other = found.find(({ resource: { group, resource } }) => group !== '' || resource !== 'nodes')?.resource;
  if (!other) return;
  const { group, version, resource } = other;
  throw complaint(`expected resource of type node, got ${JSON.stringify(`${group}/${version}, Resource=${resource}`)}`);
}

/** Says what was done, or that there was nothing to do. */
export async function setUnschedulable(
  { client, session, flags: given }: NodeCall,
  { resource, name, object }: Found,
  unschedulable: boolean,
): Promise<void> {
  const dryRun = dryRunOf(given['dry-run']);
  const did = unschedulable ? 'cordoned' : 'uncordoned';
  const { spec } = object as ApiObject & Partial<Pick<objects.Node, 'spec'>>;
  const already = (spec?.unschedulable ?? false) === unschedulable;
  if (!already && dryRun !== 'client') {
    const patch = { spec: { unschedulable: unschedulable || null } };
    await client.of(resource).patch(object, 'strategic', patch, { dryRun: dryRun === 'server' });
  }
  session.out(`${nameWithKind(resource, name)} ${already ? 'already ' : ''}${did}${dryRunNote(dryRun)}\n`);
}
