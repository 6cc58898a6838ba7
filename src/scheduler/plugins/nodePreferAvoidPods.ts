import { controllerOf } from '../../schema/index.ts';
import { getOwn, isObject } from '../../std/index.ts';
import { MAX_SCORE, plugin } from '../framework/plugin.ts';

interface Avoided {
  readonly podSignature?: { readonly podController?: { readonly kind?: string; readonly uid?: string } };
}

interface State {
  /** The pod's controller, if nodes can avoid its kind. */
  readonly owner: ReturnType<typeof controllerOf>;
  /** The annotation with the controllers whose pods a node avoids. */
  readonly key: string;
}

/** Avoids nodes with an annotation that lists the pod's owner. */
export const nodePreferAvoidPods = plugin<void, State>({
  name: 'NodePreferAvoidPods',
  isLocal: true,
  weight: 10_000,
  prepareScore({ pod, listers }) {
    const owner = controllerOf(pod);
    const isAsked = owner?.kind === 'ReplicationController' || owner?.kind === 'ReplicaSet';
    return { owner: isAsked ? owner : undefined, key: listers.names.fill('scheduler.alpha.{label}/preferAvoidPods') };
  },
  score(_, { node }, { owner, key }) {
    if (!owner) return MAX_SCORE;
    const text = getOwn(node.metadata.annotations, key);
    const avoids = avoidedBy(text).some(
      ({ podSignature }) =>
        podSignature?.podController?.kind === owner.kind && podSignature.podController.uid === owner.uid,
    );
    return avoids ? 0 : MAX_SCORE;
  },
});

function avoidedBy(text: string | undefined): readonly Avoided[] {
  if (text === undefined) return [];
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) && Array.isArray(parsed.preferAvoidPods) ? (parsed.preferAvoidPods as Avoided[]) : [];
  } catch {
    // An invalid annotation is ignored.
    return [];
  }
}
