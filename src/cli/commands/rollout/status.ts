/** `rollout status`: how far a roll-out is, until it is done. */
import type { ApiObject } from '../../../schema/index.ts';
import { getOwn, isObject } from '../../../std/index.ts';
import { command } from '../../command/command.ts';
import { allOf } from '../../command/each.ts';
import { complaint } from '../../command/errors.ts';
import { duration, integer, toggle } from '../../command/flags.ts';
import { within } from '../../command/within.ts';
import { fileFlags, namesFiles } from '../../server/manifests.ts';
import type { Found } from '../../server/selected.ts';
import { watchObjects } from '../../server/watching.ts';
import { namedWorkloads, type Workload } from './named.ts';
import { revisionOf } from './revisions.ts';

/** A sentence, and whether there is nothing more to come. */
interface Progress {
  readonly sentence: string;
  readonly done: boolean;
}

export const status = command({
  name: 'status',
  flags: {
    ...fileFlags,
    revision: integer(),
    timeout: duration(),
    watch: toggle({ short: 'w', initial: true }),
  },
  run: async (call) => {
    const [found, ...more] = allOf(await namedWorkloads(call));
    if (new Set([found, ...more].map((each) => each?.resource)).size > 1 && !namesFiles(call.flags))
      throw complaint('you may only specify a single resource type');
    if (!found || more.length > 0)
      throw complaint(
        `rollout status is only supported on individual resources and resource collections - ${more.length + 1} resources were found`,
      );
    const { resource, namespace, name } = found;
    // Kinds without roll-outs are refused before anything is watched.
    progressOf(found, found.object, 0);
    await within(call, call.flags.timeout, 'timed out waiting for the condition', async (signal) => {
      const selectors = { labelSelector: '', fieldSelector: '', signal, listFirst: true };
      for await (const { object } of watchObjects(call.client, { resource, namespace, name }, selectors)) {
        const { sentence, done } = progressOf(found, object, call.flags.revision);
        call.session.out(sentence);
        if (done || !call.flags.watch) return;
      }
    });
  },
});

function progressOf({ resource: { kind, group }, name }: Found, object: ApiObject, wanted: number): Progress {
  const viewers = { Deployment: deployment, DaemonSet: daemonSet, StatefulSet: statefulSet };
  const read = getOwn<Read>(viewers, kind);
  if (!read) throw complaint(`no status viewer has been implemented for ${kind}${group === '' ? '' : `.${group}`}`);
  return read(object as ApiObject & Workload, name, wanted);
}

type Read = (object: ApiObject & Workload, name: string, wanted: number) => Progress;

const waiting = (sentence: string): Progress => ({ sentence: `Waiting for ${sentence}\n`, done: false });
const numberIn = (object: Workload, field: string): number => Number(getOwn(object.status, field) ?? 0);
const isObserved = (object: Workload): boolean =>
  (object.metadata.generation ?? 0) <= numberIn(object, 'observedGeneration');

const deployment: Read = (object, name, wanted) => {
  const running = revisionOf(object);
  if (wanted > 0 && running !== wanted)
    throw complaint(`desired revision (${wanted}) is different from the running revision (${running})`);
  if (!isObserved(object)) return waiting('deployment spec update to be observed...');
  if (exceedsDeadline(object)) throw complaint(`deployment ${JSON.stringify(name)} exceeded its progress deadline`);
  const [desired, updated, all, available] = [
    object.spec?.replicas ?? 1,
    ...['updatedReplicas', 'replicas', 'availableReplicas'].map((field) => numberIn(object, field)),
  ] as [number, number, number, number];
  const title = `deployment ${JSON.stringify(name)} rollout to finish`;
  if (updated < desired) return waiting(`${title}: ${updated} out of ${desired} new replicas have been updated...`);
  if (all > updated) return waiting(`${title}: ${all - updated} old replicas are pending termination...`);
  if (available < updated) return waiting(`${title}: ${available} of ${updated} updated replicas are available...`);
  return { sentence: `deployment ${JSON.stringify(name)} successfully rolled out\n`, done: true };
};

function exceedsDeadline({ status: state }: Workload): boolean {
  const conditions = Array.isArray(state?.['conditions']) ? (state['conditions'] as unknown[]) : [];
  return conditions.some(
    (each) => isObject(each) && each['type'] === 'Progressing' && each['reason'] === 'ProgressDeadlineExceeded',
  );
}

const daemonSet: Read = (object, name) => {
  if (object.spec?.updateStrategy?.type === 'OnDelete')
    throw complaint('rollout status is only available for RollingUpdate strategy type');
  if (!isObserved(object)) return waiting('daemon set spec update to be observed...');
  const [updated, desired, available] = ['updatedNumberScheduled', 'desiredNumberScheduled', 'numberAvailable'].map(
    (field) => numberIn(object, field),
  ) as [number, number, number];
  const title = `daemon set ${JSON.stringify(name)} rollout to finish`;
  if (updated < desired) return waiting(`${title}: ${updated} out of ${desired} new pods have been updated...`);
  if (available < desired) return waiting(`${title}: ${available} of ${desired} updated pods are available...`);
  return { sentence: `daemon set ${JSON.stringify(name)} successfully rolled out\n`, done: true };
};

const statefulSet: Read = (object) => {
  if (object.spec?.updateStrategy?.type === 'OnDelete')
    throw complaint('rollout status is only available for RollingUpdate strategy type');
  if (!isObserved(object)) return waiting('statefulset spec update to be observed...');
  const desired = object.spec?.replicas ?? 1;
  const [ready, updated] = [numberIn(object, 'readyReplicas'), numberIn(object, 'updatedReplicas')];
  const partition = object.spec?.updateStrategy?.rollingUpdate?.partition;
  if (ready < desired) return waiting(`${desired - ready} pods to be ready...`);
  // The server fills in 0, so the reference speaks of parts nearly always.
  if (partition !== undefined) {
    const wanted = desired - partition;
    return updated < wanted
      ? waiting(`partitioned roll out to finish: ${updated} out of ${wanted} new pods have been updated...`)
      : { sentence: `partitioned roll out complete: ${updated} new pods have been updated...\n`, done: true };
  }
  const { currentRevision, updateRevision } = object.status ?? {};
  if (currentRevision !== updateRevision)
    return waiting(`statefulset rolling update to complete ${updated} pods at revision ${String(updateRevision)}...`);
  const at = `${numberIn(object, 'currentReplicas')} pods at revision ${String(currentRevision)}...`;
  return { sentence: `statefulset rolling update complete ${at}\n`, done: true };
};
