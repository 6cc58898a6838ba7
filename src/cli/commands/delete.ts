/** `delete`: by names, files, labels, or all of a type. */
import type { DeleteOptions } from '../../client/index.ts';
import { StatusError, type ApiObject } from '../../schema/index.ts';
import { getOwn, isObject } from '../../std/index.ts';
import { command, type Call } from '../command/command.ts';
import { cascadeFlag, policyOf } from '../command/cascade.ts';
import { dryRunFlag, dryRunNote, dryRunOf, type DryRun } from '../command/dryRun.ts';
import { forEach } from '../command/each.ts';
import { complaint } from '../command/errors.ts';
import { duration, integer, text, toggle } from '../command/flags.ts';
import { kindName, nameWithKind } from '../output/result.ts';
import { within } from '../command/within.ts';
import { untilGone } from '../server/gone.ts';
import { atSource, namesFiles } from '../server/manifests.ts';
import { rawFlag, sendRaw } from '../server/raw.ts';
import { namedObjects, selectionFlags, type Selected } from '../server/selected.ts';

const flags = {
  ...selectionFlags,
  'all-namespaces': toggle({ short: 'A' }),
  cascade: cascadeFlag,
  'dry-run': dryRunFlag,
  force: toggle(),
  'grace-period': integer({ initial: -1 }),
  'ignore-not-found': toggle(),
  now: toggle(),
  raw: rawFlag,
  output: text({ short: 'o' }),
  timeout: duration(),
  wait: toggle({ initial: true }),
};

type DeleteCall = Call<typeof flags>;

export const remove = command({
  name: 'delete',
  flags,
  run: async (call) => {
    if (call.given.has('raw')) return sendRaw(call, 'DELETE');
    const { all, selector, wait } = call.flags;
    const dryRun = dryRunOf(call.flags['dry-run']);
    const propagationPolicy = policyOf(call.flags.cascade, call.session);
    const { immediate, gracePeriodSeconds } = graceOf(call);
    if (all && selector !== '') throw complaint("setting 'all' parameter but found a non empty selector. ");
    checkOutput(call);
    if (call.args.length > 0 && namesFiles(call.flags))
      throw complaint(
        'when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well',
      );
    if (call.args.length === 0 && !namesFiles(call.flags) && all)
      throw complaint('at least one resource must be specified to use a selector');
    const selected = await namedObjects(call, call.args, call.flags['all-namespaces']);
    if (immediate && dryRun === 'none') call.session.err(IMMEDIATE);
    if (selected.length === 0) return call.session.out('No resources found\n');
    const deleted: (Selected & { readonly uid: string })[] = [];
    const options = { ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }), propagationPolicy };
    await forEach(selected, async (each) => {
      const answer = await deleteOne(call, each, { ...options, dryRun: dryRun === 'server' }, dryRun);
      if (answer === 'missing') return;
      call.session.out(sentence(call, each, immediate, dryRun));
      deleted.push({ ...each, uid: answer });
    });
    // The reference does not wait for what it ends by force.
    if (!wait || dryRun !== 'none') return;
    for (const each of deleted) {
      const late = `timed out waiting for the condition on ${each.resource.resource}/${each.name}`;
      await within(call, call.flags.timeout, late, (signal) => untilGone(call.client, each, signal));
    }
  },
});

const IMMEDIATE =
  'warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n';

/** A grace period of 0 means 1 second, unless deletion is forced. */
function graceOf({ flags: { 'grace-period': given, now, force } }: DeleteCall): {
  readonly immediate: boolean;
  readonly gracePeriodSeconds?: number;
} {
  if (now && given !== -1) throw complaint('--now and --grace-period cannot be specified together');
  if (force && (given > 0 || now))
    throw complaint('--force and --grace-period greater than 0 cannot be specified together');
  if (force) return { immediate: true, gracePeriodSeconds: 0 };
  if (now || given === 0) return { immediate: false, gracePeriodSeconds: 1 };
  return given < 0 ? { immediate: false } : { immediate: false, gracePeriodSeconds: given };
}

function checkOutput({ flags: { output } }: DeleteCall): void {
  if (output !== '' && output !== 'name')
    throw complaint(`unexpected -o output mode: ${output}. We only support '-o name'`);
}

/** The uid of the object that is being deleted, empty if the server does not report it; `missing` if there is no such object and that is no failure. */
async function deleteOne(
  { client, flags: given, args }: DeleteCall,
  { resource, namespace, name, source, object }: Selected,
  options: DeleteOptions,
  dryRun: DryRun,
): Promise<string> {
  if (dryRun === 'client') return '';
  const bySelector = object !== undefined && args.length > 0;
  try {
    return uidOf(await client.of(resource).delete({ metadata: { name, namespace } }, options));
  } catch (error) {
    const missing = error instanceof StatusError && error.status.code === 404;
    if (missing && (given['ignore-not-found'] || bySelector)) return 'missing';
    throw source === '' ? error : atSource(error, 'deleting', source);
  }
}

/** The answer is the object, or a Status of success that names it in its details. */
function uidOf(answer: ApiObject): string {
  const details = getOwn(answer, 'details');
  const uid = isObject(details) ? getOwn(details, 'uid') : answer.metadata.uid;
  return typeof uid === 'string' ? uid : '';
}

function sentence(
  { flags: { output } }: DeleteCall,
  { resource, name }: Selected,
  force: boolean,
  dryRun: DryRun,
): string {
  if (output === 'name') return `${nameWithKind(resource, name)}\n`;
  return `${kindName(resource)} ${JSON.stringify(name)} ${force ? 'force deleted' : 'deleted'}${dryRunNote(dryRun)}\n`;
}
