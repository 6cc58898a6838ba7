/** Flow schemas: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { Rules } from '../define/kind.ts';
import { keepAllButStatus } from '../meta/checked.ts';
import { clearStatus, complaints, each, oneOf, present, sameValue, type Errors } from '../meta/checks.ts';
import { checkLabel, checkSubdomain } from '../values/names.ts';
import { validateConditions } from './conditions.rules.ts';
import type {
  FlowSchema,
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  ServiceAccountSubject,
  Subject,
} from './flowSchema.ts';
import { mandatoryFlowSchemas } from './mandatory.ts';

const SPEC = Path.of('spec');
const MAX_PRECEDENCE = 10_000;
const METHODS = ['ByNamespace', 'ByUser'];
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

function* validate({ metadata, spec, status }: FlowSchema): Errors {
  const name = metadata.name ?? '';
  yield* validateSpec(spec, name);
  const fixed = Object.hasOwn(mandatoryFlowSchemas, name) ? mandatoryFlowSchemas[name] : undefined;
  if (fixed && !sameValue(spec, fixed)) yield field.invalid(SPEC, spec, `spec of '${name}' must equal the fixed value`);
  yield* validateConditions(status.conditions);
}

function* validateSpec(spec: FlowSchemaSpec, name: string): Errors {
  yield* validatePrecedence(spec.matchingPrecedence, name, SPEC.child('matchingPrecedence'));
  const method = spec.distinguisherMethod;
  if (method) yield* oneOf(method.type, METHODS, SPEC.child('distinguisherMethod', 'type'));
  const level = spec.priorityLevelConfiguration.name;
  const at = SPEC.child('priorityLevelConfiguration', 'name');
  if (level === '') yield field.required(at, 'must reference a priority level');
  else yield* complaints(at, level, checkSubdomain(level));
  yield* each(spec.rules, SPEC.child('rules'), validateRules);
}

function* validatePrecedence(precedence: number, name: string, path: Path): Errors {
  if (precedence <= 0) yield field.invalid(path, precedence, 'must be a positive value');
  if (precedence > MAX_PRECEDENCE) yield field.invalid(path, precedence, `must not be greater than ${MAX_PRECEDENCE}`);
  if (precedence === 1 && name !== 'exempt')
    yield field.invalid(path, precedence, "only the schema named 'exempt' may have matchingPrecedence 1");
}

function* validateRules(rules: PolicyRulesWithSubjects, path: Path): Errors {
  const { resourceRules = [], nonResourceRules = [] } = rules;
  const subjects = rules.subjects ?? [];
  if (subjects.length === 0) yield field.required(path.child('subjects'), 'subjects must contain at least one value');
  yield* each(subjects, path.child('subjects'), validateSubject);
  if (resourceRules.length + nonResourceRules.length === 0)
    yield field.required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty');
  yield* each(resourceRules, path.child('resourceRules'), validateResourceRule);
  yield* each(nonResourceRules, path.child('nonResourceRules'), validateNonResourceRule);
}

/** Each kind of subject, and the field that describes it. */
const SUBJECTS = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;

function* validateSubject(subject: Subject, path: Path): Errors {
  const kinds = Object.entries(SUBJECTS);
  const own = kinds.find(([kind]) => kind === subject.kind)?.[1];
  if (!own) return yield field.notSupported(path.child('kind'), subject.kind, ['Group', 'ServiceAccount', 'User']);
  const described = subject[own];
  if (!described) yield field.required(path.child(own), `${own} is required when subject kind is '${subject.kind}'`);
  else if (own === 'serviceAccount' && subject.serviceAccount)
    yield* validateAccount(subject.serviceAccount, path.child(own));
  else yield* present(described.name, path.child(own, 'name'));
  for (const [kind, name] of kinds) {
    if (name !== own && subject[name])
      yield field.forbidden(path.child(name), `${name} is forbidden when subject kind is not '${kind}'`);
  }
}

function* validateAccount({ name, namespace }: ServiceAccountSubject, path: Path): Errors {
  yield* present(name, path.child('name'));
  if (name !== '' && name !== '*') yield* complaints(path.child('name'), name, checkSubdomain(name));
  const at = path.child('namespace');
  if (namespace === '') yield field.required(at, 'must specify namespace for service account');
  else yield* complaints(at, namespace, checkLabel(namespace));
}

function* validateVerbs(verbs: readonly string[], path: Path): Errors {
  if (verbs.length === 0) yield field.required(path, 'verbs must contain at least one value');
  else if (verbs.includes('*')) yield* validateStar(verbs, 'verbs', path);
  else if (!verbs.every((verb) => VERBS.includes(verb))) yield field.notSupported(path, verbs, VERBS);
}

function* validateStar(values: readonly string[], plural: string, path: Path): Errors {
  if (values.length > 1 && values.includes('*'))
    yield field.invalid(path, values, `if '*' is present, must not specify other ${plural}`);
}

function* validateResourceRule(rule: ResourcePolicyRule, path: Path): Errors {
  const { verbs, apiGroups, resources, namespaces, clusterScope } = rule;
  yield* validateVerbs(verbs ?? [], path.child('verbs'));
  if (!apiGroups?.length)
    yield field.required(path.child('apiGroups'), 'resource rules must supply at least one api group');
  else yield* validateStar(apiGroups, 'api groups', path.child('apiGroups'));
  if (!resources?.length)
    yield field.required(path.child('resources'), 'resource rules must supply at least one resource');
  else yield* validateStar(resources, 'resources', path.child('resources'));
  const at = path.child('namespaces');
  if (!namespaces?.length && !clusterScope)
    yield field.required(at, 'resource rules that are not cluster scoped must supply at least one namespace');
  else yield* validateNamespaces(namespaces ?? [], at);
}

function* validateNamespaces(namespaces: readonly string[], path: Path): Errors {
  if (namespaces.includes('*')) return yield* validateStar(namespaces, 'namespaces', path);
  const intro = "each member of this list must be '*' or a DNS-1123 label; ";
  yield* each(namespaces, path, (namespace, at) =>
    complaints(
      at,
      namespace,
      checkLabel(namespace).map((message) => intro + message),
    ),
  );
}

function* validateNonResourceRule({ verbs, nonResourceURLs }: NonResourcePolicyRule, path: Path): Errors {
  yield* validateVerbs(verbs ?? [], path.child('verbs'));
  const at = path.child('nonResourceURLs');
  const urls = nonResourceURLs ?? [];
  if (urls.length === 0) yield field.required(at, 'nonResourceURLs must contain at least one value');
  else if (urls.includes('*')) yield* validateStar(urls, 'non-resource URLs', at);
  else
    yield* each(urls, at, (url, item) => {
      const wrong = complaintAbout(url);
      return wrong === undefined ? [] : [field.invalid(item, url, wrong)];
    });
}

function complaintAbout(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const star = url.indexOf('*');
  return star >= 0 && (star !== url.length - 1 || !url.endsWith('/*'))
    ? 'wildcard can only do suffix matching'
    : undefined;
}

export const flowSchemaRules: Rules<FlowSchema> = {
  generation: true,
  prepareCreate: clearStatus,
  prepareStatusUpdate: keepAllButStatus,
  validate: (schema) => [...validate(schema)],
  updateChecks: ['alone'],
  validateStatusUpdate: ({ status }) => [...validateConditions(status.conditions)],
};
