/** What the status of a definition says: which names are accepted, and whether it is served. Pure functions. */
import type { Names } from '../../names/index.ts';
import type { objects } from '../../schema/index.ts';

export type Definition = objects.CustomResourceDefinition;
type Condition = NonNullable<Definition['status']['conditions']>[number];
export type Status = Definition['status'];
type DefinitionNames = Status['acceptedNames'];

/** A condition without its time. */
type Finding = Omit<Condition, 'lastTransitionTime'>;

export function conditionOf(definition: Definition, type: string): Condition | undefined {
  return definition.status.conditions?.find((condition) => condition.type === type);
}

export const isTrue = (definition: Definition, type: string): boolean =>
  conditionOf(definition, type)?.status === 'True';

/** The status that a definition should have among `others`, the definitions of its group. */
export function statusOf(definition: Definition, others: readonly Definition[], now: string, names: Names): Status {
  const { acceptedNames, finding } = acceptNames(definition, others);
  const findings = [finding, established(definition, finding)];
  const approval = approvalOf(definition, names);
  if (approval) findings.push(approval);
  const stored = definition.status.storedVersions ?? [];
  const storage = definition.spec.versions?.find((version) => version.storage)?.name;
  return {
    ...definition.status,
    acceptedNames,
    storedVersions: storage === undefined || stored.includes(storage) ? stored : [...stored, storage],
    conditions: findings.reduce(
      (conditions, next) => withCondition(conditions, next, now),
      definition.status.conditions ?? [],
    ),
  };
}

/** The conditions with one of them set; its time stays while its status does. */
export function withCondition(conditions: readonly Condition[], next: Finding, now: string): Condition[] {
  const old = conditions.find(({ type }) => type === next.type);
  const since = old?.status === next.status ? (old.lastTransitionTime ?? now) : now;
  const set = {
    type: next.type,
    status: next.status,
    lastTransitionTime: since,
    reason: next.reason ?? '',
    message: next.message ?? '',
  };
  return old ? conditions.map((condition) => (condition === old ? set : condition)) : [...conditions, set];
}

interface Acceptance {
  readonly acceptedNames: DefinitionNames;
  readonly finding: Finding;
}

/** Each name is taken over unless another definition of the group has it; the last conflict is told. */
function acceptNames({ spec: { names: wanted }, status }: Definition, others: readonly Definition[]): Acceptance {
  const accepted: DefinitionNames = { ...status.acceptedNames };
  const taken = others.map((other) => other.status.acceptedNames);
  const resources = new Set(
    taken.flatMap(({ plural, singular, shortNames }) => [plural, singular ?? '', ...(shortNames ?? [])]),
  );
  const kinds = new Set(taken.flatMap(({ kind, listKind }) => [kind, listKind ?? '']));
  let conflict: Finding | undefined;
  const clash = (reason: string, used: readonly string[]): void => {
    const message = used.map((name) => `${JSON.stringify(name)} is already in use`).join(', ');
    conflict = { type: 'NamesAccepted', status: 'False', reason, message };
  };
  const isFree = (name: string, own: string | undefined, all: ReadonlySet<string>): boolean =>
    name === own || !all.has(name);
  if (isFree(wanted.plural, accepted.plural, resources)) accepted.plural = wanted.plural;
  else clash('PluralConflict', [wanted.plural]);
  const { singular = '', listKind = '', shortNames = [], categories } = wanted;
  if (isFree(singular, accepted.singular, resources)) accepted.singular = singular;
  else clash('SingularConflict', [singular]);
  const used = shortNames.filter((name) => !(accepted.shortNames ?? []).includes(name) && resources.has(name));
  if (used.length > 0) clash('ShortNamesConflict', used);
  else accepted.shortNames = shortNames;
  if (isFree(wanted.kind, accepted.kind, kinds)) accepted.kind = wanted.kind;
  else clash('KindConflict', [wanted.kind]);
  if (isFree(listKind, accepted.listKind, kinds)) accepted.listKind = listKind;
  else clash('ListKindConflict', [listKind]);
  accepted.categories = categories ?? [];
  const fine = { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
  return { acceptedNames: accepted, finding: conflict ?? fine };
}

/** Once established, a definition stays so, whatever becomes of its names. */
function established(definition: Definition, names: Finding): Finding {
  const old = conditionOf(definition, 'Established');
  if (old?.status === 'True') return old;
  return names.status === 'True'
    ? {
        type: 'Established',
        status: 'True',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      }
    : { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
}

/** Groups under the product's own domains need the word of its community. */
function approvalOf(
  { spec: { group }, metadata: { annotations = {} } }: Definition,
  names: Names,
): Finding | undefined {
  const isProtected = [names.domain, names.label].some((domain) => group === domain || group.endsWith(`.${domain}`));
  if (!isProtected) return undefined;
  const key = names.fill('api-approved.{label}');
  const text = annotations[key] ?? '';
  const type = names.fill('{Product}APIApprovalPolicyConformant');
  if (text === '') {
    const message = `protected groups must have approval annotation ${JSON.stringify(key)}`;
    return { type, status: 'False', reason: 'MissingAnnotation', message };
  }
  if (text.startsWith('unapproved'))
    return { type, status: 'False', reason: 'UnapprovedAnnotation', message: `not approved: ${JSON.stringify(text)}` };
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/\s]+/i.test(text))
    return { type, status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${text}` };
  return {
    type,
    status: 'False',
    reason: 'InvalidAnnotation',
    message: `the annotation ${JSON.stringify(key)} is neither a link nor "unapproved"`,
  };
}
