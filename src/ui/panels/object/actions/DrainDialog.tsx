import { useEffect, useRef, useState } from 'preact/compat';
import type { ApiObject } from '../../../../schema/index.ts';
import { Button, Dialog, StateMark } from '../../../parts/index.ts';
import { theClient } from '../../../stores/clients.ts';
import { useLiveObjects } from '../../../stores/liveObjects.ts';
import {
  findResource,
  resourceByWord,
  useResources,
  type ObjectRef,
  type Resource,
} from '../../../stores/resources.ts';
import { useCluster } from '../../../stores/session.ts';
import { AsCommand } from './AsCommand.tsx';
import { cordon } from './changes.ts';
import { drainCommand, placeOf } from './commands.ts';
import { drainingOf, refusalOf, type Draining } from './draining.ts';
import styles from './actions.module.css';

const MARKS = { waits: 'pending', leaves: 'deleted', blocked: 'denied', stays: 'completed' } as const;

/** Empties a node: cordons it, evicts its pods, and tries again what a budget forbids whenever something changes. */
export default function DrainDialog({ target, onClose }: { readonly target: ObjectRef; readonly onClose: () => void }) {
  const [begun, setBegun] = useState(false);
  const list = useDrain(target, begun);
  const left = list.filter(({ state }) => state !== 'stays');
  const start = async (): Promise<void> => {
    if (await cordon(target, true)) setBegun(true);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Drain ${target.name}`}
      about="The node is cordoned; its pods are evicted as their disruption budgets allow."
      actions={
        <>
          <Button onClick={onClose}>{begun && left.length > 0 ? 'Stop' : 'Close'}</Button>
          <Button
            look="primary"
            busy={begun && left.length > 0}
            unavailable={begun && 'Draining has begun.'}
            onClick={() => void start()}
          >
            Drain
          </Button>
        </>
      }
    >
      <AsCommand command={drainCommand(target, placeOf(target))} action="Drain" onLeave={onClose} />
      <p role="status" className={styles.effect}>
        {left.length === 0 ? 'No pod is left that has to go.' : `${left.length} of ${list.length} pods have to go.`}
      </p>
      <ul className={styles.list}>
        {list.map(({ pod, state, why }) => (
          <li key={pod.metadata.uid} className={styles.item}>
            <p className={styles.row}>
              <code className={styles.code}>
                {pod.metadata.namespace}/{pod.metadata.name}
              </code>
              <StateMark state={MARKS[state]} text={state} />
            </p>
            {why && <p className={styles.effect}>{why}</p>}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function useDrain(target: ObjectRef, begun: boolean): readonly Draining[] {
  const { names } = useCluster();
  const resources = useResources((state) => state.resources);
  const podResource = findResource(resources, 'core', 'pods');
  const budgetResource = resourceByWord(resources, 'poddisruptionbudgets');
  const pods = useLiveObjects(podResource && { resource: podResource, fieldSelector: `spec.nodeName=${target.name}` });
  const budgets = useLiveObjects(begun && budgetResource ? { resource: budgetResource } : undefined);
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map());
  const underWay = useRef(new Set<string>());
  const list = drainingOf(pods.objects, refusals, names);
  useEffect(() => {
    if (!begun || !podResource) return;
    const evict = async ({ metadata }: ApiObject): Promise<void> => {
      const { uid = '' } = metadata;
      if (underWay.current.has(uid)) return;
      underWay.current.add(uid);
      const refusal = await evictPod(podResource, metadata, names.fill('policy/v1beta1')).catch(refusalOf);
      underWay.current.delete(uid);
      if (refusal !== undefined) setRefusals((before) => new Map(before).set(uid, refusal));
    };
    for (const { pod, state } of list) if (state === 'waits' || state === 'blocked') void evict(pod);
    // What changes about pods and budgets decides when to try again; what was refused does not.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [begun, pods.objects, budgets.objects]);
  return list;
}

async function evictPod(resource: Resource, metadata: ApiObject['metadata'], apiVersion: string): Promise<undefined> {
  const { name = '', namespace = '' } = metadata;
  const eviction = { apiVersion, kind: 'Eviction', metadata: { name, namespace } };
  await theClient().of(resource).post({ metadata: { name, namespace } }, 'eviction', eviction);
}
