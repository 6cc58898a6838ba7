/** Webhook configurations, of both sorts: what is checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path, type FieldErrors } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { complaints, each, oneOf, sameValue, type Errors } from '../meta/checks.ts';
import { validateLabelSelector } from '../meta/labelSelector.rules.ts';
import { validateQualifiedDomain } from '../meta/names.rules.ts';
import { validateClientConfig } from '../meta/webhook.rules.ts';
import { checkServiceLabel } from '../values/names.ts';
import type { MutatingWebhook, MutatingWebhookConfiguration } from './mutatingWebhookConfiguration.ts';
import type { ValidatingWebhook, ValidatingWebhookConfiguration } from './validatingWebhookConfiguration.ts';
import type { RuleWithOperations } from './webhook.ts';
import { validateResources } from './webhookResources.rules.ts';

type Webhook = ValidatingWebhook & Partial<Pick<MutatingWebhook, 'reinvocationPolicy'>>;
type Webhooks = readonly Webhook[];

const WEBHOOKS = Path.of('webhooks');
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SIDE_EFFECTS = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const NO_SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

/** Fields that v1beta1 does not require, and requirements that do not apply to older objects. */
interface Required {
  readonly noSideEffects: boolean;
  readonly knownVersion: boolean;
  readonly uniqueNames: boolean;
}

function requiredOf(webhooks: Webhooks | undefined, { requested }: RuleContext): Required {
  const strict = requested.version !== 'v1beta1';
  const old = webhooks ?? [];
  return {
    noSideEffects: strict && old.every(({ sideEffects }) => NO_SIDE_EFFECTS.includes(sideEffects ?? '')),
    knownVersion: old.every(({ admissionReviewVersions: versions }) => !versions?.length || hasKnownVersion(versions)),
    uniqueNames: strict && new Set(old.map(({ name }) => name)).size === old.length,
  };
}

const hasKnownVersion = (versions: readonly string[]): boolean => versions.some((v) => REVIEW_VERSIONS.includes(v));

function* validateWebhooks(webhooks: Webhooks, required: Required): Errors {
  const names = webhooks.map(({ name }) => name);
  yield* each(webhooks, WEBHOOKS, function* (webhook, at, i) {
    yield* validateWebhook(webhook, required, at);
    const versions = webhook.admissionReviewVersions ?? [];
    yield* validateReviewVersions(versions, required.knownVersion, at.child('admissionReviewVersions'));
    if (required.uniqueNames && webhook.name !== '' && names.indexOf(webhook.name) < i)
      yield field.duplicate(at.child('name'), webhook.name);
  });
}

function* validateWebhook(webhook: Webhook, { noSideEffects }: Required, path: Path): Errors {
  yield* validateQualifiedDomain(webhook.name, path.child('name'));
  yield* each(webhook.rules, path.child('rules'), validateRule);
  const { failurePolicy, matchPolicy, reinvocationPolicy, timeoutSeconds } = webhook;
  if (failurePolicy !== undefined) yield* oneOf(failurePolicy, ['Fail', 'Ignore'], path.child('failurePolicy'));
  if (matchPolicy !== undefined) yield* oneOf(matchPolicy, ['Equivalent', 'Exact'], path.child('matchPolicy'));
  yield* validateSideEffects(webhook.sideEffects, noSideEffects ? NO_SIDE_EFFECTS : SIDE_EFFECTS, path);
  if (timeoutSeconds !== undefined && (timeoutSeconds < 1 || timeoutSeconds > 30))
    yield field.invalid(
      path.child('timeoutSeconds'),
      timeoutSeconds,
      'the timeout value must be between 1 and 30 seconds',
    );
  yield* validateLabelSelector(webhook.namespaceSelector, path.child('namespaceSelector'));
  yield* validateLabelSelector(webhook.objectSelector, path.child('objectSelector'));
  if (reinvocationPolicy !== undefined)
    yield* oneOf(reinvocationPolicy, ['IfNeeded', 'Never'], path.child('reinvocationPolicy'));
  yield* validateClientConfig(webhook.clientConfig, path.child('clientConfig'));
}

function* validateSideEffects(sideEffects: string | null | undefined, allowed: readonly string[], path: Path): Errors {
  const at = path.child('sideEffects');
  if (sideEffects == null) yield field.required(at, `must specify one of ${allowed.join(', ')}`);
  else yield* oneOf(sideEffects, allowed, at);
}

function* validateRule(rule: RuleWithOperations, path: Path): Errors {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  yield* validateChoice(operations, 'operations', path.child('operations'));
  yield* each(operations, path.child('operations'), (operation, at) => oneOf(operation, OPERATIONS, at));
  yield* validateChoice(apiGroups, 'API groups', path.child('apiGroups'));
  yield* validateChoice(apiVersions, 'API versions', path.child('apiVersions'));
  yield* each(apiVersions, path.child('apiVersions'), (version, at) => (version === '' ? [field.required(at)] : []));
  yield* validateResources(resources, path.child('resources'));
  if (scope !== undefined) yield* oneOf(scope, ['*', 'Cluster', 'Namespaced'], path.child('scope'));
}

/** A list that can't be empty, and in which `*` stands alone. */
function* validateChoice(values: readonly string[], plural: string, path: Path): Errors {
  if (values.length === 0) yield field.required(path);
  if (values.length > 1 && values.includes('*'))
    yield field.invalid(path, values, `if '*' is present, must not specify other ${plural}`);
}

function* validateReviewVersions(versions: readonly string[], known: boolean, path: Path): Errors {
  const accepted = REVIEW_VERSIONS.join(', ');
  if (versions.length === 0) return yield field.required(path, `must specify one of ${accepted}`);
  yield* each(versions, path, (version, at, i) =>
    versions.indexOf(version) < i
      ? [field.invalid(at, version, 'duplicate version')]
      : complaints(at, version, checkServiceLabel(version)),
  );
  if (known && !hasKnownVersion(versions))
    yield field.invalid(path, versions, `must include at least one of ${accepted}`);
}

interface Configuration {
  readonly webhooks?: Webhooks;
}

function validateCreate({ webhooks = [] }: Configuration, context: RuleContext): FieldErrors {
  return [...validateWebhooks(webhooks, requiredOf(undefined, context))];
}

function validateUpdate({ webhooks = [] }: Configuration, old: Configuration, context: RuleContext): FieldErrors {
  return [...validateWebhooks(webhooks, requiredOf(old.webhooks, context))];
}

const common = {
  anyFinalizer: true,
  unconditionalUpdate: false,
  emptyCounts: true,
  generation: ({ webhooks }: Configuration, old: Configuration): boolean => !sameValue(webhooks, old.webhooks),
  validateCreate,
  updateChecks: ['alone', 'change'],
  validateUpdate,
} as const;

export const validatingWebhookConfigurationRules: Rules<ValidatingWebhookConfiguration> = common;
export const mutatingWebhookConfigurationRules: Rules<MutatingWebhookConfiguration> = common;
