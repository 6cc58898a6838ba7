/** Which webhooks match a request: rules, scope, selectors, and equivalent groups or versions. */
import {
  selectorOfObject,
  type ApiObject,
  type LabelSelector,
  type objects,
  type Resource,
} from '../../schema/index.ts';
import type { AdmissionAttributes, PluginDeps } from '../types.ts';

/** A webhook of either configuration. */
export type Webhook = objects.MutatingWebhook | objects.ValidatingWebhook;
type Rule = objects.RuleWithOperations;

/** A matching webhook, and the resource and version that its rule names. */
export interface Invocation {
  readonly configuration: string;
  readonly webhook: Webhook;
  readonly index: number;
  readonly resource: Resource;
}

/** Whether a webhook is called for a request; undefined if not. */
export function invocationOf(
  configuration: string,
  webhook: Webhook,
  index: number,
  attributes: AdmissionAttributes,
  deps: PluginDeps,
): Invocation | undefined {
  if (isOwnKind(attributes, deps)) return undefined;
  const resource = matchingResource(webhook, attributes, deps);
  if (!resource || !namespaceSelected(webhook, attributes, deps) || !objectSelected(webhook, attributes))
    return undefined;
  return { configuration, webhook, index, resource };
}

/** Webhooks are not called for their own configurations, so that these can be repaired. */
const isOwnKind = ({ resource }: AdmissionAttributes, { names }: PluginDeps): boolean =>
  resource.group === names.fill('admissionregistration.{domain}') &&
  /^(mutating|validating)webhookconfigurations$/.test(resource.resource);

/** The matching resource of a rule: as requested, or (Equivalent) in any other version. */
function matchingResource(
  { rules, matchPolicy }: Webhook,
  attributes: AdmissionAttributes,
  { scheme }: PluginDeps,
): Resource | undefined {
  const requested = scheme.byResource(attributes.resource);
  if (!requested) return undefined;
  if (rules?.some((rule) => matches(rule, requested, attributes))) return requested;
  if (matchPolicy !== 'Equivalent') return undefined;
  const equivalents = scheme.all().filter((r) => r !== requested && isSameKind(r, requested));
  // The first matching rule applies, not the first version.
  for (const rule of rules ?? []) {
    const fitting = equivalents.find((r) => matches(rule, r, attributes));
    if (fitting) return fitting;
  }
  return undefined;
}

/** Whether two resources are versions of one kind; custom ones have no common hub. */
const isSameKind = (a: Resource, b: Resource): boolean =>
  a.hub === b.hub || (a.custom !== undefined && b.custom !== undefined && a.prefix === b.prefix);

const has = (list: readonly string[] | undefined | null, value: string): boolean =>
  list?.some((item) => item === '*' || item === value) ?? false;

function matches(
  { operations, apiGroups, apiVersions, resources, scope }: Rule,
  { gvr, namespaced }: Resource,
  attributes: AdmissionAttributes,
): boolean {
  if (!has(operations, attributes.operation) || !has(apiGroups, gvr.group) || !has(apiVersions, gvr.version))
    return false;
  if (scope === 'Namespaced' && !inNamespace(namespaced, attributes)) return false;
  if (scope === 'Cluster' && inNamespace(namespaced, attributes)) return false;
  return resources?.some((pattern) => namesResource(pattern, gvr.resource, attributes.subresource)) ?? false;
}

const inNamespace = (namespaced: boolean, { namespace }: AdmissionAttributes): boolean =>
  namespaced && namespace !== '';

// Patterns: `pods`, `pods/log`, `pods/*`, `*`, a star with a subresource, and a star with a star.
function namesResource(pattern: string, resource: string, subresource: string): boolean {
  const [wanted = '', part] = pattern.split('/');
  if (wanted !== '*' && wanted !== resource) return false;
  return part === undefined ? subresource === '' : part === '*' || part === subresource;
}

/** The namespace's labels are matched, for a namespace its own; cluster-scoped objects always match. */
function namespaceSelected(
  { namespaceSelector }: Webhook,
  attributes: AdmissionAttributes,
  { get }: PluginDeps,
): boolean {
  const selector = namespaceSelector as LabelSelector | undefined;
  if (!selector || selectorOfObject(selector).matchesEverything) return true;
  const { resource, namespace, object, operation } = attributes;
  const isNamespace = resource.group === '' && resource.resource === 'namespaces';
  if (namespace === '' && !isNamespace) return true;
  const own = isNamespace && attributes.subresource === '' && operation !== 'DELETE' ? object : undefined;
  const labels = (own ?? get({ group: '', resource: 'namespaces' }, '', namespace))?.metadata.labels ?? {};
  return selectorOfObject(selector).matches(labels);
}

/** Either the new or the old object has to match. */
function objectSelected({ objectSelector }: Webhook, { object, oldObject }: AdmissionAttributes): boolean {
  const selector = objectSelector as LabelSelector | undefined;
  if (!selector || selectorOfObject(selector).matchesEverything) return true;
  const compiled = selectorOfObject(selector);
  const selected = (o: ApiObject | undefined): boolean => o !== undefined && compiled.matches(o.metadata?.labels ?? {});
  return selected(object) || selected(oldObject);
}
