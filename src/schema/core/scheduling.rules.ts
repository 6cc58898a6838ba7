/** The rules for what binds pods to nodes: tolerations, selectors of nodes, affinity, spreading. */
import * as field from '../define/fieldErrors.ts';
import type { Path } from '../define/fieldErrors.ts';
import { complaints, each, oneOf, positive, type Errors } from '../meta/checks.ts';
import { validateLabelSelector } from '../meta/labelSelector.rules.ts';
import { checkLabel, checkLabelValue, checkQualifiedName, checkSubdomain } from '../values/names.ts';
import type {
  Affinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  Toleration,
  TopologySpreadConstraint,
} from './affinity.ts';
import { EFFECTS } from './taints.rules.ts';

export function* validateTolerations(tolerations: readonly Toleration[] | undefined, path: Path): Errors {
  yield* each(tolerations, path, validateToleration);
}

function* validateToleration(toleration: Toleration, path: Path): Errors {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
  if (key !== '') yield* complaints(path.child('key'), key, checkQualifiedName(key));
  if (key === '' && operator !== 'Exists') {
    yield field.invalid(
      path.child('operator'),
      operator,
      'operator must be Exists when `key` is empty, which means "match all values and all keys"',
    );
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    yield field.invalid(path.child('effect'), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
  }
  if (operator === '' || operator === 'Equal') {
    const wrong = checkLabelValue(value);
    if (wrong.length > 0) yield field.invalid(path.child('operator'), value, wrong.join(';'));
  } else if (operator === 'Exists') {
    if (value !== '')
      yield field.invalid(path.child('operator'), toleration, "value must be empty when `operator` is 'Exists'");
  } else yield field.notSupported(path.child('operator'), operator, ['Equal', 'Exists']);
  if (effect !== '') yield* oneOf(effect, EFFECTS, path.child('effect'));
}

export function* validateNodeSelector({ nodeSelectorTerms }: NodeSelector, path: Path): Errors {
  const terms = path.child('nodeSelectorTerms');
  if ((nodeSelectorTerms ?? []).length === 0) yield field.required(terms, 'must have at least one node selector term');
  yield* each(nodeSelectorTerms, terms, validateNodeSelectorTerm);
}

function* validateNodeSelectorTerm({ matchExpressions, matchFields }: NodeSelectorTerm, path: Path): Errors {
  yield* each(matchExpressions, path.child('matchExpressions'), validateNodeExpression);
  yield* each(matchFields, path.child('matchFields'), validateNodeFields);
}

function* validateNodeExpression({ key, operator, values = [] }: NodeSelectorRequirement, path: Path): Errors {
  const at = path.child('values');
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) yield field.required(at, "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0)
      yield field.forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1) yield field.required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'");
  } else yield field.invalid(path.child('operator'), operator, 'not a valid selector operator');
  yield* complaints(path.child('key'), key, checkQualifiedName(key));
}

function* validateNodeFields({ key, operator, values = [] }: NodeSelectorRequirement, path: Path): Errors {
  if (operator !== 'In' && operator !== 'NotIn')
    yield field.invalid(path.child('operator'), operator, 'not a valid selector operator');
  else if (values.length !== 1)
    yield field.required(
      path.child('values'),
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
    );
  if (key !== 'metadata.name') yield field.invalid(path.child('key'), key, 'not a valid field selector key');
  else yield* each(values, path.child('values'), (value, at) => complaints(at, value, checkSubdomain(value)));
}

export function* validateAffinity({ nodeAffinity, podAffinity, podAntiAffinity }: Affinity, path: Path): Errors {
  if (nodeAffinity) {
    const at = path.child('nodeAffinity');
    const {
      requiredDuringSchedulingIgnoredDuringExecution: required,
      preferredDuringSchedulingIgnoredDuringExecution: preferred,
    } = nodeAffinity;
    if (required) yield* validateNodeSelector(required, at.child('requiredDuringSchedulingIgnoredDuringExecution'));
    yield* each(preferred, at.child('preferredDuringSchedulingIgnoredDuringExecution'), function* (term, item) {
      yield* validateWeight(term.weight, item.child('weight'));
      yield* validateNodeSelectorTerm(term.preference, item.child('preference'));
    });
  }
  if (podAffinity) yield* validatePodAffinity(podAffinity, path.child('podAffinity'));
  if (podAntiAffinity) yield* validatePodAffinity(podAntiAffinity, path.child('podAntiAffinity'));
}

function* validatePodAffinity(affinity: PodAffinity, path: Path): Errors {
  yield* each(
    affinity.requiredDuringSchedulingIgnoredDuringExecution,
    path.child('requiredDuringSchedulingIgnoredDuringExecution'),
    validatePodAffinityTerm,
  );
  yield* each(
    affinity.preferredDuringSchedulingIgnoredDuringExecution,
    path.child('preferredDuringSchedulingIgnoredDuringExecution'),
    function* (term, at) {
      yield* validateWeight(term.weight, at.child('weight'));
      yield* validatePodAffinityTerm(term.podAffinityTerm, at.child('podAffinityTerm'));
    },
  );
}

function* validateWeight(weight: number, path: Path): Errors {
  if (weight <= 0 || weight > 100) yield field.invalid(path, weight, 'must be in the range 1-100');
}

function* validatePodAffinityTerm(
  { labelSelector, namespaces = [], topologyKey }: PodAffinityTerm,
  path: Path,
): Errors {
  // The reference reports the selector under this name, and namespaces in the singular.
  yield* validateLabelSelector(labelSelector, path.child('matchExpressions'));
  for (const namespace of namespaces) yield* complaints(path.child('namespace'), namespace, checkLabel(namespace));
  if (topologyKey === '') yield field.required(path.child('topologyKey'), 'can not be empty');
  yield* complaints(path.child('topologyKey'), topologyKey, checkQualifiedName(topologyKey));
}

const WHEN_UNSATISFIABLE = ['DoNotSchedule', 'ScheduleAnyway'];

export function* validateSpreading(constraints: readonly TopologySpreadConstraint[] | undefined, path: Path): Errors {
  yield* each(constraints, path, function* ({ maxSkew, topologyKey, whenUnsatisfiable }, at, i) {
    yield* positive(maxSkew, at.child('maxSkew'));
    if (topologyKey === '') yield field.required(at.child('topologyKey'), 'can not be empty');
    yield* oneOf(whenUnsatisfiable, WHEN_UNSATISFIABLE, at.child('whenUnsatisfiable'));
    const rest = (constraints ?? []).slice(i + 1);
    if (!rest.some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable))
      return;
    yield field.duplicate(at.child('{topologyKey, whenUnsatisfiable}'), `{${topologyKey}, ${whenUnsatisfiable}}`);
  });
}
