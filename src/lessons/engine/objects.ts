/** Judges checks of objects and lists. */
import type { ApiObject } from '../../schema/index.ts';
import { counts, showCount, showField, unmet } from './fields.ts';
import type { ListCheck, ObjectCheck, Verdict } from './lesson.ts';
import { PLAYER } from './surroundings.ts';

/** `object` is undefined where there is none. */
export function judgeObject(check: ObjectCheck, object: ApiObject | undefined): Verdict {
  if (check.gone) return { holds: object === undefined, seen: object ? 'it exists' : 'it is gone' };
  if (!object) return { holds: false, seen: `there is no ${kindWord(check.resource)} ${check.name}` };
  if (check.original && !isOfStart(object)) return { holds: false, seen: 'it was deleted and created again' };
  const [first] = unmet(object, check.fields);
  if (first) return { holds: false, seen: showField(object, first.path) };
  const shown = (check.fields ?? []).slice(0, 2).map(({ path }) => showField(object, path));
  return { holds: true, seen: shown.join(', ') || 'it exists' };
}

/** Whoever made an object stays among its managers, whatever others change in it. */
const isOfStart = ({ metadata }: ApiObject): boolean =>
  metadata.managedFields?.some(({ manager }) => manager === PLAYER) ?? false;

export function judgeList(check: ListCheck, objects: readonly ApiObject[]): Verdict {
  const fitting = objects.filter((object) => unmet(object, check.fields).length === 0).length;
  return { holds: counts(fitting, check.count), seen: `${fitting} (needed: ${showCount(check.count)})` };
}

const SINGULAR = /(ies|(?<=ss)es|s)$/;

/** `deployments` as a person says it of one: `deployment`. */
const kindWord = (resource: string): string =>
  (resource.split('/').at(-1) ?? '').replace(SINGULAR, (end) => (end === 'ies' ? 'y' : ''));
