/** The conditions of a definition: whether its names are accepted, whether it is served, what is invalid. */
import type { Condition, Definition, Status, TimedCondition } from './definition.ts';
import { getOwn } from '../../std/index.ts';
import type { Names } from '../../names/index.ts';
import { approvalKey, approvalOf, isProtected, parts } from '../../schema/index.ts';
import { acceptNames } from './names.ts';

export const isTrue = (definition: Definition, type: string): boolean =>
  definition.status.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;

/** The desired status of a definition; `group` are all definitions of its group, including itself. */
export function statusOf(definition: Definition, group: readonly Definition[], now: string, names: Names): Status {
  const { acceptedNames, condition } = acceptNames(definition, group);
  const approval = isProtected(definition.spec.group, names) ? approvalCondition(definition, names) : undefined;
  const structure = structureCondition(definition, names);
  const wanted = [condition, established(definition, condition), approval, structure].filter(
    (one) => one !== undefined,
  );
  const old = (definition.status.conditions ?? []).filter(({ type }) => type !== 'NonStructuralSchema' || structure);
  const conditions = wanted.reduce((all, next) => withCondition(all, next, now), old);
  return { ...definition.status, acceptedNames, conditions };
}

/** The conditions with one of them set; the transition time changes only with the status. */
export function withCondition(conditions: readonly TimedCondition[], next: Condition, now: string): TimedCondition[] {
  const old = conditions.find(({ type }) => type === next.type);
  const since = old?.status === next.status ? (old.lastTransitionTime ?? now) : now;
  const { type, status, reason = '', message = '' } = next;
  const set = { type, status, lastTransitionTime: since, reason, message };
  return old ? conditions.map((condition) => (condition === old ? set : condition)) : [...conditions, set];
}

/** An established definition stays established, whatever happens to its names. */
function established(definition: Definition, names: Condition): Condition {
  const type = 'Established';
  const old = definition.status.conditions?.find((condition) => condition.type === type);
  if (old?.status === 'True') return old;
  return names.status === 'True'
    ? { type, status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' }
    : { type, status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
}

/** Groups in the product's own domains need an approval annotation. */
function approvalCondition({ metadata: { annotations } }: Definition, names: Names): Condition {
  const type = names.fill('{Product}APIApprovalPolicyConformant');
  const key = JSON.stringify(approvalKey(names));
  const text = JSON.stringify(getOwn(annotations, approvalKey(names)) ?? '');
  switch (approvalOf(annotations, names)) {
    case 'missing':
      return {
        type,
        status: 'False',
        reason: 'MissingAnnotation',
        message: `protected groups must have the annotation ${key}`,
      };
    case 'bypassed':
      return { type, status: 'False', reason: 'UnapprovedAnnotation', message: `not approved: ${text}` };
    case 'approved':
      return { type, status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${text}` };
    case 'invalid':
      return {
        type,
        status: 'False',
        reason: 'InvalidAnnotation',
        message: `${key} is neither a URL nor "unapproved…": ${text}`,
      };
  }
}

/**
 * Older definitions may have schemas that are not structural and keep unknown fields; undefined if there is no
 * violation.
 */
function structureCondition(definition: Definition, names: Names): Condition | undefined {
  const type = 'NonStructuralSchema';
  const { beyond, errors } = parts.definitions.get().structuralViolations(names, definition);
  if (beyond !== undefined) {
    const message = `failed to check the schema of version ${beyond}: it says what is not supported`;
    return { type, status: 'Unknown', reason: 'StructuralError', message };
  }
  const message = errors.map((error) => `${error.field}: ${error.message}`).join(', ');
  return errors.length > 0 ? { type, status: 'True', reason: 'Violations', message } : undefined;
}
