/** `drain`: no new pods on a node, and those that are there go elsewhere. */
import { StatusError, type ApiObject } from '../../schema/index.ts';

import { parseLabelSelector } from '../../schema/index.ts';
import { command, type Call } from '../command/command.ts';
import { dryRunNote, dryRunOf } from '../command/dryRun.ts';
import { complaint, describeError, CommandError } from '../command/errors.ts';
import { pause } from '../command/pause.ts';
import { duration, integer, text, toggle } from '../command/flags.ts';
import { within } from '../command/within.ts';
import { nameWithKind } from '../output/result.ts';
import { goDuration } from '../output/text.ts';
import { evictablePods } from '../server/evictable.ts';
import { untilGone } from '../server/gone.ts';
import type { Found } from '../server/selected.ts';
import { findResource } from '../server/served.ts';
import { namedNodes, nodeFlags, setUnschedulable } from './cordon.ts';

const flags = {
  ...nodeFlags,
  'delete-emptydir-data': toggle(),
  'delete-local-data': toggle(),
  'disable-eviction': toggle(),
  force: toggle(),
  'grace-period': integer({ initial: -1 }),
  'ignore-daemonsets': toggle(),
  'pod-selector': text(),
  'skip-wait-for-delete-timeout': integer(),
  timeout: duration(),
};

type DrainCall = Call<typeof flags>;

export const drain = command({
  name: 'drain',
  flags,
  run: async (call) => {
    if (call.given.has('delete-local-data')) call.session.err(DEPRECATED);
    checkPodSelector(call.flags['pod-selector']);
    const nodes = await namedNodes(call);
    for (const node of nodes) await setUnschedulable(call, node, true);
    for (const [i, node] of nodes.entries()) {
      try {
        const late = `drain did not complete within ${goDuration(call.flags.timeout)}`;
        await within(call, call.flags.timeout, late, (signal) => drainOne(call, node, signal));
      } catch (error) {
        throw aborted(nodes.slice(i), error);
      }
    }
  },
});

function checkPodSelector(typed: string): void {
  try {
    parseLabelSelector(typed);
  } catch {
    throw complaint('--pod-selector=<pod_selector> must be a valid label selector');
  }
}

const DEPRECATED =
  'Flag --delete-local-data has been deprecated, This option is deprecated and will be deleted. Use --delete-emptydir-data.\n';

function aborted(pending: readonly Found[], error: unknown): CommandError {
  const [first] = pending;
  return complaint(
    `unable to drain node ${JSON.stringify(first?.name)}, aborting command...\n\nThere are pending nodes to be drained:\n${pending
      .map(({ name }) => ` ${name}\n`)
      .join('')}${describeError(error)}`,
  );
}

async function drainOne(call: DrainCall, node: Found, signal: AbortSignal): Promise<void> {
  const { client, session, flags: given } = call;
  const dryRun = dryRunOf(given['dry-run']);
  const resource = await findResource(session, client, 'pods');
  const selection = { fieldSelector: `spec.nodeName=${node.name}`, labelSelector: given['pod-selector'] };
  const { items } = await client.of(resource).list(selection);
  const options = {
    force: given.force,
    ignoreDaemonSets: given['ignore-daemonsets'],
    deleteLocalData: given['delete-emptydir-data'] || given['delete-local-data'],
  };
  const { pods, problems, warnings } = evictablePods(items, options, client.names);
  // As the reference prints several errors at once.
  if (problems.length > 1) throw new CommandError(problems.join('\n'));
  if (problems.length > 0) throw complaint(problems.join('\n'));
  if (warnings.length > 0) session.err(`WARNING: ${warnings.join('; ')}\n`);
  for (const { metadata } of given['disable-eviction'] && dryRun === 'none' ? [] : pods)
    session.out(`evicting pod ${metadata.namespace}/${metadata.name}${dryRunNote(dryRun)}\n`);
  if (dryRun === 'none') await Promise.all(pods.map((pod) => takeAway(call, { ...node, resource }, pod, signal)));
  if (signal.aborted) return;
  const did = dryRun === 'none' && pods.length > 0 ? (given['disable-eviction'] ? 'deleted' : 'evicted') : 'drained';
  session.out(`${nameWithKind(node.resource, node.name)} ${did}${dryRunNote(dryRun)}\n`);
}

/** Milliseconds until an eviction is tried again that a budget forbids. */
const PAUSE = 5000;

/** Resolves when the pod is gone. */
async function takeAway(call: DrainCall, { resource }: Found, pod: ApiObject, signal: AbortSignal): Promise<void> {
  const { client, session, flags: given } = call;
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  const grace = given['grace-period'];
  const deleteOptions = grace < 0 ? {} : { gracePeriodSeconds: grace };
  const evict = (): Promise<unknown> =>
    given['disable-eviction']
      ? client.of(resource).delete(pod, deleteOptions)
      : client.of(resource).post(pod, 'eviction', {
          ...{ apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name, namespace } },
          ...(grace < 0 ? {} : { deleteOptions }),
        });
  while (!signal.aborted) {
    try {
      await evict();
      break;
    } catch (error) {
      const code = error instanceof StatusError ? error.status.code : 0;
      if (code === 404) return;
      const what = `error when ${given['disable-eviction'] ? 'deleting' : 'evicting'} pods/${JSON.stringify(name)} -n ${JSON.stringify(namespace)}`;
      const why = error instanceof Error ? error.message : String(error);
      if (code !== 429) throw complaint(`${what}: ${why}`);
      session.err(`${what} (will retry after 5s): ${why}\n`);
      await pause(session.clock, PAUSE, signal);
    }
  }
  await untilGone(client, { resource, namespace, name, uid }, signal);
  if (signal.aborted) return;
  session.out(`${nameWithKind(resource, name)} ${given['disable-eviction'] ? 'deleted' : 'evicted'}\n`);
}
