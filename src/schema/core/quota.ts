/** What objects count against resource quotas: for the plugin that charges and for the controller that counts again. */
import { getOwn } from '../../std/index.ts';
import type { Names } from '../../names/index.ts';
import type { ApiObject } from '../define/kind.ts';
import { Quantity, quantityOf } from '../values/quantity.ts';
import type { Container } from './container.ts';
import type { PersistentVolumeClaim } from './persistentVolumeClaim.ts';
import type { Pod } from './pod.ts';
import type { ResourceQuota } from './resourceQuota.ts';
import { isExtendedResource } from './resources.rules.ts';
import type { Service } from './service.ts';

export type Usage = ReadonlyMap<string, Quantity>;

/** The resource whose objects are counted: plural and full group. */
export interface Counted {
  readonly group: string;
  readonly resource: string;
}

/** How one kind of object uses quota. */
export interface Evaluator {
  /** Whether changes are charged as well as creations. */
  readonly onUpdate: boolean;
  /** Which of a quota's resources this kind can use. */
  measures(resource: string): boolean;
  usage(object: ApiObject, now: number): Usage;
  /** Whether a quota's scopes let it count this object. */
  matches(quota: ResourceQuota, object: ApiObject): boolean;
  /** Whether an object is in a scope; only pods are in any. */
  isInScope(scope: Scope, object: ApiObject): boolean;
  /** Resources that the object would have to name, if the quota limits them; empty when all is said. */
  missing(limited: readonly string[], object: ApiObject): readonly string[];
}

const one = Quantity.of(1);
const LEGACY_COUNTS = new Set(['configmaps', 'secrets', 'replicationcontrollers', 'resourcequotas']);

/** Whether objects are never counted: events come too often. */
export const isUncounted = ({ group, resource }: Counted): boolean => group === '' && resource === 'events';

/** The evaluator for a resource: pods, services and claims measure more than their number. */
export function evaluatorOf({ group, resource }: Counted, names: Names): Evaluator {
  if (group === '' && resource === 'pods') return podEvaluator(names);
  if (group === '' && resource === 'services') return serviceEvaluator;
  if (group === '' && resource === 'persistentvolumeclaims') return claimEvaluator(names);
  const counts = [
    `count/${group === '' ? resource : `${resource}.${group}`}`,
    ...(group === '' && LEGACY_COUNTS.has(resource) ? [resource] : []),
  ];
  return counting(counts, () => new Map(counts.map((name) => [name, one])), false);
}

/** Kinds without scopes: a quota that has any does not count them. */
function counting(
  names: readonly string[],
  usage: Evaluator['usage'],
  onUpdate: boolean,
  more: (name: string) => boolean = () => false,
): Evaluator {
  return {
    onUpdate,
    measures: (name) => names.includes(name) || more(name),
    usage,
    matches: (quota) => scopesOf(quota).length === 0,
    isInScope: () => false,
    missing: () => [],
  };
}

const serviceEvaluator = counting(
  ['count/services', 'services', 'services.nodeports', 'services.loadbalancers'],
  serviceUsage,
  true,
);

function serviceUsage(object: ApiObject): Usage {
  const { spec } = object as Service;
  const ports = Quantity.of(spec?.ports?.length ?? 0);
  const usage = new Map([
    ['count/services', one],
    ['services', one],
    ['services.nodeports', Quantity.zero],
    ['services.loadbalancers', Quantity.zero],
  ]);
  if (spec?.type === 'NodePort' || spec?.type === 'LoadBalancer') usage.set('services.nodeports', ports);
  if (spec?.type === 'LoadBalancer') usage.set('services.loadbalancers', one);
  return usage;
}

function claimEvaluator(names: Names): Evaluator {
  const suffix = names.fill('.storageclass.storage.{domain}/');
  const classOf = ({ metadata, spec }: PersistentVolumeClaim): string =>
    metadata?.annotations?.[names.fill('volume.beta.{label}/storage-class')] ?? spec?.storageClassName ?? '';
  const usage = (object: ApiObject): Usage => {
    const claim = object as PersistentVolumeClaim;
    const result = new Map([
      ['count/persistentvolumeclaims', one],
      ['persistentvolumeclaims', one],
    ]);
    const storage = claim.spec?.resources?.requests?.['storage'];
    const className = classOf(claim);
    if (className !== '') result.set(`${className}${suffix}persistentvolumeclaims`, one);
    if (storage !== undefined) {
      result.set('requests.storage', quantityOf(storage));
      if (className !== '') result.set(`${className}${suffix}requests.storage`, quantityOf(storage));
    }
    return result;
  };
  const own = ['count/persistentvolumeclaims', 'persistentvolumeclaims', 'requests.storage'];
  return counting(
    own,
    usage,
    true,
    (name) => name.endsWith(`${suffix}requests.storage`) || name.endsWith(`${suffix}persistentvolumeclaims`),
  );
}

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const POD_RESOURCES = new Set([
  'count/pods',
  'pods',
  ...COMPUTE,
  ...COMPUTE.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
]);
const EXPLICIT = new Set(['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory']);

function podEvaluator(names: Names): Evaluator {
  const isExtended = (name: string): boolean =>
    name.startsWith('requests.') && isExtendedResource(name.slice('requests.'.length), names);
  return {
    onUpdate: false,
    measures: (name) => POD_RESOURCES.has(name) || /^(requests\.)?hugepages-/.test(name) || isExtended(name),
    usage: (object, now) => podUsage(object as Pod, now, names),
    matches: (quota, object) => scopesOf(quota).every((scope) => inScope(scope, object as Pod)),
    isInScope: (scope, object) => inScope(scope, object as Pod),
    missing: (limited, object) => {
      const required = limited.filter((name) => EXPLICIT.has(name));
      const { spec } = object as Pod;
      const found = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].flatMap((c) => {
        const said = computeUsage(c.resources?.requests ?? {}, c.resources?.limits ?? {}, names);
        return required.filter((name) => !said.has(name));
      });
      return [...new Set(found)].sort();
    },
  };
}

/** Whether a pod still uses anything: not when it is over, nor when it should be gone. */
function isAlive({ metadata, status }: Pod, now: number): boolean {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {};
  if (!deletionTimestamp || deletionGracePeriodSeconds === undefined) return true;
  return now <= Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

function podUsage(pod: Pod, now: number, names: Names): Usage {
  const usage = new Map([['count/pods', one]]);
  if (!isAlive(pod, now)) return usage;
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const requests = total(containers ?? [], initContainers ?? [], 'requests');
  const limits = total(containers ?? [], initContainers ?? [], 'limits');
  for (const [name, amount] of computeUsage(requests, limits, names)) usage.set(name, amount);
  return usage;
}

type Amounts = Readonly<Record<string, string>>;

/** The sum of the containers or the maximum of the init containers, whichever is more. */
function total(containers: readonly Container[], init: readonly Container[], which: 'requests' | 'limits'): Amounts {
  const sum = new Map<string, Quantity>();
  for (const c of containers)
    for (const [name, amount] of Object.entries(c.resources?.[which] ?? {}))
      sum.set(name, sum.get(name)?.add(quantityOf(amount)) ?? quantityOf(amount));
  for (const c of init) {
    for (const [name, amount] of Object.entries(c.resources?.[which] ?? {})) {
      const known = sum.get(name);
      if (!known || known.compare(quantityOf(amount)) < 0) sum.set(name, quantityOf(amount));
    }
  }
  return Object.fromEntries([...sum].map(([name, amount]) => [name, amount.toString()]));
}

function computeUsage(requests: Amounts, limits: Amounts, names: Names): Map<string, Quantity> {
  const usage = new Map([['pods', one]]);
  for (const name of COMPUTE) {
    const request = getOwn(requests, name);
    const limit = getOwn(limits, name);
    if (request !== undefined) usage.set(name, quantityOf(request)).set(`requests.${name}`, quantityOf(request));
    if (limit !== undefined) usage.set(`limits.${name}`, quantityOf(limit));
  }
  for (const [name, amount] of Object.entries(requests)) {
    if (name.startsWith('hugepages-')) usage.set(name, quantityOf(amount)).set(`requests.${name}`, quantityOf(amount));
    else if (isExtendedResource(name, names)) usage.set(`requests.${name}`, quantityOf(amount));
  }
  return usage;
}

/** A condition on objects that count. */
export interface Scope {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** A quota's scopes, old form and new, as one list. */
export function scopesOf({ spec }: ResourceQuota): Scope[] {
  const plain = (spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists', values: [] }));
  const selected = (spec?.scopeSelector?.matchExpressions ?? []).map(({ scopeName, operator, values = [] }) => ({
    scopeName,
    operator,
    values: values ?? [],
  }));
  return [...plain, ...selected];
}

function inScope({ scopeName, operator, values }: Scope, pod: Pod): boolean {
  const { activeDeadlineSeconds, priorityClassName = '' } = pod.spec ?? {};
  switch (scopeName) {
    case 'Terminating':
      return activeDeadlineSeconds !== undefined && activeDeadlineSeconds >= 0;
    case 'NotTerminating':
      return activeDeadlineSeconds === undefined;
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass':
      return matchesClass(operator, values, priorityClassName);
    default:
      return false;
  }
}

function matchesClass(operator: string, values: readonly string[], name: string): boolean {
  switch (operator) {
    case 'Exists':
      return name !== '';
    case 'DoesNotExist':
      return name === '';
    case 'In':
      return values.includes(name);
    case 'NotIn':
      return !values.includes(name);
    default:
      return false;
  }
}

/** Nothing asked for, nothing limited. */
function isBestEffort({ spec }: Pod): boolean {
  const all = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  const counts = (amounts: Amounts | undefined): boolean =>
    Object.entries(amounts ?? {}).some(
      ([name, amount]) => (name === 'cpu' || name === 'memory') && quantityOf(amount).sign > 0,
    );
  return !all.some((c) => counts(c.resources?.requests) || counts(c.resources?.limits));
}
