/**
 * LimitRanger: sets default requests and limits from the namespace's ranges, and enforces the ranges for pods and
 * claims.
 */
import { getOwn, setOwn } from '../../std/index.ts';
import { compareQuantities, Quantity, quantityOf, type objects } from '../../schema/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { annotate, containersOf, isPod, podOf, type PodSpec } from './pods.ts';
import { refuse } from './refuse.ts';

type LimitRange = objects.LimitRange;
type Item = objects.LimitRangeItem;
type Amounts = Readonly<Record<string, string>>;

export const limitRanger: PluginDeclaration = {
  name: 'LimitRanger',
  on: true,
  create: (deps) => ({
    name: 'LimitRanger',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    admit: (attributes) => {
      if (isPod(attributes) && attributes.operation === 'CREATE')
        for (const range of rangesOf(attributes, deps)) fillIn(attributes, range, deps);
    },
    validate: (attributes) => check(attributes, deps),
  }),
};

const rangesOf = ({ namespace }: AdmissionAttributes, { list }: PluginDeps): readonly LimitRange[] =>
  list({ group: '', resource: 'limitranges' }, namespace) as readonly LimitRange[];

/** Sets a container's missing values, and records them in an annotation of the pod. */
function fillIn(attributes: AdmissionAttributes, range: LimitRange, { names }: PluginDeps): void {
  const pod = podOf(attributes);
  const items = (range.spec?.limits ?? []).filter((item) => item.type === 'Container');
  const limits = Object.assign({}, ...items.map((item) => item.default ?? {})) as Amounts;
  const requests = Object.assign({}, ...items.map((item) => item.defaultRequest ?? {})) as Amounts;
  const notes = [
    ...(pod.spec.containers ?? []).flatMap((c) => fillContainer(c, limits, requests, 'container')),
    ...(pod.spec.initContainers ?? []).flatMap((c) => fillContainer(c, limits, requests, 'init container')),
  ];
  if (notes.length === 0) return;
  annotate(pod, { [names.fill('{label}/limit-ranger')]: `LimitRanger plugin set: ${notes.join('; ')}` });
}

function fillContainer(container: objects.Container, limits: Amounts, requests: Amounts, what: string): string[] {
  const resources = container.resources ?? {};
  const missing = (wanted: Amounts, present: Amounts | undefined): string[] =>
    Object.keys(wanted)
      .filter((name) => getOwn(present, name) === undefined)
      .sort();
  const setRequests = missing(requests, resources.requests);
  const setLimits = missing(limits, resources.limits);
  const pick = (wanted: Amounts, names: readonly string[]): Amounts =>
    Object.fromEntries(names.map((name) => [name, getOwn(wanted, name) as string]));
  container.resources = {
    ...resources,
    ...(setLimits.length > 0 ? { limits: { ...resources.limits, ...pick(limits, setLimits) } } : {}),
    ...(setRequests.length > 0 ? { requests: { ...resources.requests, ...pick(requests, setRequests) } } : {}),
  };
  const note = (set: readonly string[], kind: string): string[] =>
    set.length > 0 ? [`${set.join(', ')} ${kind} for ${what} ${container.name}`] : [];
  return [...note(setRequests, 'request'), ...note(setLimits, 'limit')];
}

const LIMITED = new Set(['pods', 'persistentvolumeclaims']);

function check(attributes: AdmissionAttributes, deps: PluginDeps): void {
  const { resource, subresource, operation } = attributes;
  if (subresource !== '' || resource.group !== '' || !LIMITED.has(resource.resource)) return;
  // Objects that are being deleted are not checked.
  if (attributes.oldObject?.metadata.deletionTimestamp !== undefined) return;
  const checkItem = (item: Item): string[] => {
    if (resource.resource === 'pods' && operation === 'CREATE') return checkPod(podOf(attributes).spec, item);
    return resource.resource === 'persistentvolumeclaims' ? checkClaim(attributes, item) : [];
  };
  for (const range of rangesOf(attributes, deps)) {
    const errors = [...new Set((range.spec?.limits ?? []).flatMap(checkItem))];
    if (errors.length > 0)
      throw refuse(attributes, errors.length === 1 ? (errors[0] as string) : `[${errors.join(', ')}]`);
  }
}

function checkPod(spec: PodSpec, item: Item): string[] {
  if (item.type === 'Container')
    return containersOf(spec).flatMap((c) => violations(item, c.resources?.requests ?? {}, c.resources?.limits ?? {}));
  if (item.type !== 'Pod') return [];
  return violations(item, podTotal(spec, 'requests'), podTotal(spec, 'limits'));
}

/**
 * The sum of the containers or the maximum of the init containers, whichever is more. A resource that one of the
 * containers lacks has no total.
 */
function podTotal(spec: PodSpec, which: 'requests' | 'limits'): Record<string, string> {
  const all = (spec.containers ?? []).map((container) => container.resources?.[which] ?? {});
  const named = Object.keys(all[0] ?? {}).filter((name) => all.every((amounts) => getOwn(amounts, name) !== undefined));
  const sum = (name: string): string =>
    all.reduce((total, amounts) => total.add(quantityOf(getOwn(amounts, name))), Quantity.zero).toString();
  const total: Record<string, string> = Object.fromEntries(named.map((name) => [name, sum(name)]));
  for (const container of spec.initContainers ?? []) {
    for (const [name, amount] of Object.entries(container.resources?.[which] ?? {}))
      setOwn(
        total,
        name,
        compareQuantities(getOwn(total, name), amount) < 0 ? amount : (getOwn(total, name) ?? amount),
      );
  }
  return total;
}

function violations({ type, min, max, maxLimitRequestRatio }: Item, requests: Amounts, limits: Amounts): string[] {
  return [
    ...Object.entries(min ?? {}).flatMap(([name, least]) =>
      tooLittle(type, name, least, getOwn(requests, name), getOwn(limits, name)),
    ),
    ...Object.entries(max ?? {}).flatMap(([name, most]) =>
      tooMuch(type, name, most, getOwn(requests, name), getOwn(limits, name)),
    ),
    ...Object.entries(maxLimitRequestRatio ?? {}).flatMap(([name, ratio]) =>
      tooWide(type, name, ratio, getOwn(requests, name), getOwn(limits, name)),
    ),
  ];
}

function tooLittle(
  type: string,
  name: string,
  least: string,
  request: string | undefined,
  limit: string | undefined,
): string[] {
  const head = `minimum ${name} usage per ${type} is ${least}`;
  if (request === undefined) return [`${head}.  No request is specified`];
  if (compareQuantities(request, least) < 0) return [`${head}, but request is ${request}`];
  return limit !== undefined && compareQuantities(limit, least) < 0 ? [`${head}, but limit is ${limit}`] : [];
}

function tooMuch(
  type: string,
  name: string,
  most: string,
  request: string | undefined,
  limit: string | undefined,
): string[] {
  const head = `maximum ${name} usage per ${type} is ${most}`;
  if (limit === undefined) return [`${head}.  No limit is specified`];
  if (compareQuantities(limit, most) > 0) return [`${head}, but limit is ${limit}`];
  return request !== undefined && compareQuantities(request, most) > 0 ? [`${head}, but request is ${request}`] : [];
}

function tooWide(
  type: string,
  name: string,
  ratio: string,
  request: string | undefined,
  limit: string | undefined,
): string[] {
  const head = `${name} max limit to request ratio per ${type} is ${ratio}`;
  if (request === undefined || compareQuantities(request, '0') === 0)
    return [`${head}, but no request is specified or request is 0`];
  if (limit === undefined || compareQuantities(limit, '0') === 0)
    return [`${head}, but no limit is specified or limit is 0`];
  const actual = Number(quantityOf(limit).milliValue()) / Number(quantityOf(request).milliValue());
  return actual * 1000 > Number(quantityOf(ratio).milliValue())
    ? [`${head}, but provided ratio is ${actual.toFixed(6)}`]
    : [];
}

/** Claims are checked by their requests; they have no limits. */
function checkClaim({ object }: AdmissionAttributes, { type, min, max }: Item): string[] {
  if (type !== 'PersistentVolumeClaim') return [];
  const requests = (object as objects.PersistentVolumeClaim).spec?.resources?.requests ?? {};
  const least = Object.entries(min ?? {}).flatMap(([name, amount]) =>
    tooLittle(type, name, amount, getOwn(requests, name), undefined),
  );
  const most = Object.entries(max ?? {}).flatMap(([name, amount]) => {
    const request = getOwn(requests, name);
    const head = `maximum ${name} usage per ${type} is ${amount}`;
    if (request === undefined) return [`${head}.  No request is specified`];
    return compareQuantities(request, amount) > 0 ? [`${head}, but request is ${request}`] : [];
  });
  return [...least, ...most];
}
