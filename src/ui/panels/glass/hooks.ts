/** How components read the Glass. */
import { useEffect, useMemo } from 'preact/compat';
import { useStore } from '../../store.ts';
import { Informer, pods as podsRef } from '../../../client/index.ts';
import { useAdministrator } from '../../stores/clients.ts';
import { pageClock } from '../../stores/liveObjects.ts';
import { useResources } from '../../stores/resources.ts';
import { useCluster } from '../../stores/session.ts';
import { glassOf, type Glass } from './glass.ts';
import { PodStates } from './model/pods.ts';
import type { KindOf } from './model/sentences.ts';

/** The Glass of the open cluster, in the past too; what uses it is rendered anew when there is something to read. */
export function useGlass(): Glass {
  const { cluster, past } = useCluster();
  const recorded = past?.live ?? cluster;
  const glass = useMemo(() => glassOf(recorded), [recorded]);
  useStore(glass.shown);
  return glass;
}

/** Stops at the revision that is open, until the page is back in the present. */
export function useMoment(glass: Glass): void {
  const { past } = useCluster();
  useEffect(() => {
    if (!past) return undefined;
    glass.act((engine) => engine.seekRevision(past.moment.revision));
    return () => glass.act((engine) => engine.goLive());
  }, [glass, past]);
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
