/** Changes that would allow a refused request, and what else each would permit. */
import type { Attributes } from '../types.ts';
import { breakDown, missingRules } from './covers.ts';
import { ruleFor, subjectOf } from './edits.ts';
import type { Edit } from './edits.ts';
import { bindingEdit, nearMisses } from './nearMisses.ts';
import type { PolicyIndex } from './policyIndex.ts';
import { powerOf } from './power.ts';
import { ruleAllows } from './rules.ts';
import { keyOfSubject } from './subjects.ts';
import type { BindingId, PolicyRule, RoleId, Subject } from './types.ts';

export interface Change {
  readonly edits: readonly Edit[];
  /** The smallest rules that somebody would gain besides the request. */
  readonly opens: readonly Opening[];
}

export interface Opening {
  readonly subject: Subject;
  /** A namespace, or empty for the whole cluster. */
  readonly scope: string;
  readonly rule: PolicyRule;
}

/**
 * All known changes that allow the request, the least permissive first: by the power of the rules, not by their number;
 * among equals the one with fewer edits. Changes that bind roles of the system come last.
 */
export function changesFor(index: PolicyIndex, request: Attributes): readonly Change[] {
  const misses = nearMisses(index, request, Infinity).map((miss) => miss.edits);
  const candidates = [...misses.filter((edits) => edits.length > 0), dedicated(index, request)];
  const changes = candidates.map((edits) => ({ edits, opens: openings(index, request, edits) }));
  const ranked = changes.map((change) => ({ change, power: powerOpened(change) }));
  ranked.sort(
    (a, b) =>
      Number(isSystems(a.change)) - Number(isSystems(b.change)) ||
      a.power - b.power ||
      a.change.edits.length - b.change.edits.length,
  );
  return ranked.map(({ change }) => change);
}

const isSystems = ({ edits }: Change): boolean =>
  edits.some((edit) => edit.do === 'create-binding' && edit.roleRef.name.startsWith('system:'));

const powerOpened = ({ opens }: Change): number =>
  opens.reduce((power, { rule, scope }) => power + powerOf([rule], scope), 0);

/** A role that allows only this request, and a binding for this user. */
function dedicated(index: PolicyIndex, request: Attributes): readonly Edit[] {
  const kind = request.namespace === '' ? 'ClusterRole' : 'Role';
  const words = request.isResource
    ? [request.verb, request.resource, request.subresource, request.name]
    : [request.verb, ...request.path.split('/')];
  const role: RoleId = { kind, namespace: request.namespace, name: words.filter((word) => word !== '').join('-') };
  return [{ do: 'create-role', role, rules: [ruleFor(request)] }, bindingEdit(role, index.rbacGroup, request)];
}

function openings(index: PolicyIndex, request: Attributes, edits: readonly Edit[]): readonly Opening[] {
  const gained = edits.flatMap((edit) => gains(index, edit, edits));
  return gained.flatMap(({ subject, scope, rules }) =>
    missingRules(heldRules(index, subject, scope), rules)
      .filter((rule) => !isAsked(rule, subject, scope, request))
      .map((rule) => ({ subject, scope, rule })),
  );
}

interface Gain {
  readonly subject: Subject;
  readonly scope: string;
  readonly rules: readonly PolicyRule[];
}

/** The rules that each subject gains by one edit. */
function gains(index: PolicyIndex, edit: Edit, edits: readonly Edit[]): readonly Gain[] {
  switch (edit.do) {
    case 'create-role':
      return [];
    case 'create-binding':
      return edit.subjects.map((subject) => ({
        subject,
        scope: edit.binding.namespace,
        rules: rulesOf(index, edit, edits),
      }));
    case 'add':
      return isBinding(edit.to)
        ? gainBySubject(index, edit.to, edit.value)
        : gainByRule(index, edit.to, edit.field, edit.value);
  }
}

function rulesOf(
  index: PolicyIndex,
  edit: Edit & { readonly do: 'create-binding' },
  edits: readonly Edit[],
): readonly PolicyRule[] {
  const made = edits.find((other) => other.do === 'create-role' && other.role.name === edit.roleRef.name);
  if (made?.do === 'create-role') return made.rules;
  return index.resolve(edit.roleRef, edit.binding.namespace)?.rules ?? [];
}

function gainBySubject(index: PolicyIndex, binding: BindingId, subject: string | Subject): readonly Gain[] {
  const object = index.binding(binding);
  if (!object || typeof subject === 'string') return [];
  return [{ subject, scope: binding.namespace, rules: index.resolve(object.roleRef, binding.namespace)?.rules ?? [] }];
}

/** Every subject bound to the role gains the rule's additions. */
function gainByRule(index: PolicyIndex, role: RoleId, field: string, value: string | Subject): readonly Gain[] {
  const match = /^rules\[(\d+)\]\.(\w+)$/.exec(field);
  const slot = index.resolve({ apiGroup: index.rbacGroup, kind: role.kind, name: role.name }, role.namespace);
  const rule = slot?.rules?.[Number(match?.[1])];
  if (!match || !rule || typeof value !== 'string') return [];
  const list = match[2] as 'verbs' | 'apiGroups' | 'resources' | 'resourceNames' | 'nonResourceURLs';
  const wider = { ...rule, [list]: [...(rule[list] ?? []), value] };
  return [...index.bindingsOf(role)].flatMap(({ id, object }) =>
    (object.subjects ?? []).map((subject) => ({ subject, scope: id.namespace, rules: breakDown(wider) })),
  );
}

/** The rules of a subject itself (not through its groups) in a scope. */
function heldRules(index: PolicyIndex, subject: Subject, scope: string): readonly PolicyRule[] {
  const found = keyOfSubject(subject, scope);
  if ('problem' in found) return [];
  const scopes = scope === '' ? [''] : ['', scope];
  return scopes.flatMap((one) => [...index.grantsFor([found.key], one)].flatMap((grant) => grant.role.rules ?? []));
}

/** Whether a small rule allows nothing but the request itself, to its own user, in its scope. */
function isAsked(rule: PolicyRule, subject: Subject, scope: string, request: Attributes): boolean {
  const own = subjectOf(request.user, subject.apiGroup ?? '');
  const [a, b] = [keyOfSubject(subject, scope), keyOfSubject(own, scope)];
  const sameSubject = 'key' in a && 'key' in b && a.key === b.key;
  const narrow = JSON.stringify(breakDown(rule)) === JSON.stringify(breakDown(ruleFor(request)));
  return sameSubject && scope === request.namespace && narrow && ruleAllows(rule, request);
}

function isBinding(id: RoleId | BindingId): id is BindingId {
  return id.kind === 'RoleBinding' || id.kind === 'ClusterRoleBinding';
}
