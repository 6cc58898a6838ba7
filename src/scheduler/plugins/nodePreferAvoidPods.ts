import { controllerOf } from '../../schema/index.ts';
import { isObject } from '../../std/index.ts';
import { MAX_SCORE, plugin } from '../framework/plugin.ts';

interface Avoided {
  readonly podSignature?: { readonly podController?: { readonly kind?: string; readonly uid?: string } };
}

/** Keeps pods of certain owners away from a node that says so in an annotation. */
export const nodePreferAvoidPods = plugin({
  name: 'NodePreferAvoidPods',
  weight: 10_000,
  score({ pod, listers }, { node }) {
    const owner = controllerOf(pod);
    if (owner?.kind !== 'ReplicationController' && owner?.kind !== 'ReplicaSet') return MAX_SCORE;
    const text = node.metadata.annotations?.[listers.names.fill('scheduler.alpha.{label}/preferAvoidPods')];
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
    // Somebody else's annotation that is no JSON says nothing.
    return [];
  }
}
