/** How components read the Glass. */
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { Informer, pods as podsRef } from '../../../client/index.ts';
import { useAdministrator } from '../../stores/clients.ts';
import { pageClock } from '../../stores/liveObjects.ts';
import { useResources } from '../../stores/resources.ts';
import { useCluster } from '../../stores/session.ts';
import { glassOf, type Glass } from './glass.ts';
import { PodStates } from './model/pods.ts';
import type { KindOf } from './model/sentences.ts';

/** The Glass of the open cluster; what uses it is rendered anew when there is something to read. */
export function useGlass(): Glass {
  const { cluster } = useCluster();
  const glass = useMemo(() => glassOf(cluster), [cluster]);
  useStore(glass.shown);
  return glass;
}

/** Kinds as the server names them. */
export function useKindOf(): KindOf {
  const resources = useResources((state) => state.resources);
  return useMemo(() => {
    const kinds = new Map(
      resources.map(({ group, resource, kind }) => [`${group || 'core'}/${resource}`, kind] as const),
    );
    return ({ group, resource }) => kinds.get(`${group}/${resource}`) ?? resource;
  }, [resources]);
}

/** Follows the states of all pods for as long as somebody looks. */
export function useFollowedPods(glass: Glass): void {
  const client = useAdministrator();
  useEffect(() => {
    const fresh = new PodStates();
    glass.pods = fresh;
    const informer = new Informer({ resource: client.of(podsRef), clock: pageClock });
    const note: PodStates['note'] = (pod) => {
      fresh.note(pod);
      glass.wake();
    };
    informer.on({
      added: note,
      changed: note,
      deleted: (pod) => {
        fresh.remove(pod);
        glass.wake();
      },
    });
    informer.start();
    return () => informer.stop();
  }, [client, glass]);
}
