import type { Names } from '../../../../names/index.ts';
import { isControlledBy, withoutHash, type ApiObject } from '../../../../schema/index.ts';
import { getOwn } from '../../../../std/index.ts';
import { asRecord, at } from '../../../stores/jsonValues.ts';

/** The pod template of the revision before a deployment's last, from its replica sets; undefined where there is none. */
export function previousTemplate(deployment: ApiObject, sets: readonly ApiObject[], names: Names): unknown {
  const revision = names.fill('deployment.{label}/revision');
  const numberOf = (object: ApiObject): number => Number(getOwn(object.metadata.annotations, revision) ?? 0);
  const owned = sets.filter((set) => isControlledBy(set, deployment));
  const [, before] = owned.filter((set) => numberOf(set) > 0).sort((a, b) => numberOf(b) - numberOf(a));
  return before && withoutHash(asRecord(at(before, 'spec', 'template')));
}
