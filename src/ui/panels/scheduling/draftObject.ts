/** Objects as a draft has them: copies that differ in some fields. */
import type { Draft } from '../../../client/index.ts';
import type { ApiObject } from '../../../schema/index.ts';
import { deepEqual, isObject, setOwn } from '../../../std/index.ts';
import { asList, asRecord, asText, at } from '../../stores/jsonValues.ts';

/** A copy with another value at a path; `undefined` takes the field out. */
export function put(value: unknown, path: readonly (string | number)[], to: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return to;
  if (typeof step === 'number') return asList(value).map((item, i) => (i === step ? put(item, rest, to) : item));
  const copy: Record<string, unknown> = { ...asRecord(value) };
  const next = put(isObject(value) ? at(value, step) : undefined, rest, to);
  if (next === undefined) delete copy[step];
  else setOwn(copy, step, next);
  return copy;
}

export const withField = <T extends ApiObject>(object: T, path: readonly (string | number)[], to: unknown): T =>
  put(object, path, to) as T;

const OVERCOMMITTED = ['cpu', 'memory', 'ephemeral-storage'];

const resourcePath = (part: 'requests' | 'limits', resource: string): (string | number)[] => [
  ...['spec', 'containers', 0, 'resources', part, resource],
];

/** What the first container requests; empty where it says nothing. */
export const requestOf = (pod: ApiObject, resource: string): string =>
  asText(at(pod, ...resourcePath('requests', resource)));

/** The pod with another request of its first container. What can't be overcommitted has a limit that is no other than the request. */
export function withRequest<T extends ApiObject>(pod: T, resource: string, amount: string): T {
  const asking = withField(pod, resourcePath('requests', resource), amount);
  return OVERCOMMITTED.includes(resource) ? asking : withField(asking, resourcePath('limits', resource), amount);
}

/** Fields of a pod's spec that decide where it may go, and that a draft can change. */
const PLACING = ['nodeSelector', 'affinity', 'topologySpreadConstraints'] as const;

/** The template of what makes a pod, changed as the draft changes the pod. What a server added to the pod stays out of it. */
export function templateSpecWith(template: unknown, pod: ApiObject, drafted: ApiObject): unknown {
  let spec = template;
  for (const field of PLACING) {
    const wanted = at(drafted, 'spec', field);
    if (!deepEqual(wanted, at(pod, 'spec', field))) spec = put(spec, [field], wanted);
  }
  spec = put(spec, ['tolerations'], tolerationsOf(spec, pod, drafted));
  const containers = asList(at(spec, 'containers')).map((container) => {
    const name = asText(at(container, 'name'));
    const [was, is] = [pod, drafted].map((each) => at(containerNamed(each, name), 'resources'));
    return deepEqual(was, is) ? container : put(container, ['resources'], is);
  });
  return put(spec, ['containers'], containers);
}

const containerNamed = (pod: ApiObject, name: string): unknown =>
  asList(at(pod, 'spec', 'containers')).find((container) => at(container, 'name') === name);

function tolerationsOf(template: unknown, pod: ApiObject, drafted: ApiObject): readonly unknown[] | undefined {
  const [before, after] = [pod, drafted].map((each) => asList(at(each, 'spec', 'tolerations')));
  const has = (all: readonly unknown[] = [], one: unknown): boolean => all.some((each) => deepEqual(each, one));
  const own = asList(at(template, 'tolerations'));
  const kept = own.filter((each) => has(after, each) || !has(before, each));
  const all = [...kept, ...(after ?? []).filter((each) => !has(before, each))];
  return all.length === 0 ? undefined : all;
}

/** A pod as it can be created in the place of another one: without what a server gave it. */
export function successorOf(drafted: ApiObject): Draft<ApiObject> & { readonly spec: unknown } {
  const { name = '', namespace, labels, annotations } = drafted.metadata;
  const metadata = {
    name,
    ...(namespace && { namespace }),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
  };
  const tokens = asList(at(drafted, 'spec', 'volumes')).filter((volume) =>
    /-token-\w{5}$/.test(asText(at(volume, 'name'))),
  );
  const names = tokens.map((volume) => at(volume, 'name'));
  const mounted = asList(at(drafted, 'spec', 'containers')).map((container) =>
    put(
      container,
      ['volumeMounts'],
      asList(at(container, 'volumeMounts')).filter((mount) => !names.includes(at(mount, 'name'))),
    ),
  );
  const volumes = asList(at(drafted, 'spec', 'volumes')).filter((volume) => !tokens.includes(volume));
  let spec = put(put(drafted, ['spec', 'containers'], mounted), ['spec', 'volumes'], volumes);
  // The priority and the node are given anew.
  for (const field of ['nodeName', 'priority', 'preemptionPolicy']) spec = put(spec, ['spec', field], undefined);
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: at(spec, 'spec') };
}

/** The merge patch from a node to the node of a draft: labels, taints, whether it takes pods. */
export function nodePatch(node: ApiObject, drafted: ApiObject): object {
  const [before, after] = [node, drafted].map((each) => each.metadata.labels ?? {});
  const gone = Object.keys(before ?? {}).filter((key) => !Object.hasOwn(after ?? {}, key));
  const labels = { ...after, ...Object.fromEntries(gone.map((key) => [key, null])) };
  const unschedulable = at(drafted, 'spec', 'unschedulable') === true ? true : null;
  return { metadata: { labels }, spec: { taints: at(drafted, 'spec', 'taints') ?? null, unschedulable } };
}
