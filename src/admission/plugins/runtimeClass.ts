/** RuntimeClass: sets a pod's overhead and scheduling constraints from its class. */
import { deepEqual, getOwn } from '../../std/index.ts';
import type { objects } from '../../schema/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { isPod, podOf, type PodSpec } from './pods.ts';
import { refuse } from './refuse.ts';
import { mergeTolerations } from './tolerations.ts';

type Class = objects.RuntimeClass;

export const runtimeClass: PluginDeclaration = {
  name: 'RuntimeClass',
  on: true,
  create: (deps) => ({
    name: 'RuntimeClass',
    handles: (operation) => operation === 'CREATE',
    admit: (attributes) => {
      if (isPod(attributes)) bring(attributes, deps);
    },
    validate: (attributes) => {
      if (isPod(attributes)) check(attributes, deps);
    },
  }),
};

/** The pod's class; refuses a pod with a missing class. */
function classOf(attributes: AdmissionAttributes, { get, names }: PluginDeps): Class | undefined {
  const name = podOf(attributes).spec.runtimeClassName;
  if (name === undefined) return undefined;
  const found = get({ group: names.fill('node.{domain}'), resource: 'runtimeclasses' }, '', name);
  if (!found) throw refuse(attributes, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  return found as Class;
}

function bring(attributes: AdmissionAttributes, deps: PluginDeps): void {
  const found = classOf(attributes, deps);
  if (!found) return;
  const { spec } = podOf(attributes);
  const overhead = found.overhead?.podFixed;
  if (overhead && deps.gate('PodOverhead')) {
    if (spec.overhead && !deepEqual(spec.overhead, overhead))
      throw refuse(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
    spec.overhead = { ...overhead };
  }
  if (found.scheduling) schedule(attributes, spec, found.scheduling);
}

/** Adds the class's node selector to the pod's; refuses the pod if they conflict. */
function schedule(
  attributes: AdmissionAttributes,
  spec: PodSpec,
  { nodeSelector = {}, tolerations = [] }: NonNullable<Class['scheduling']>,
): void {
  for (const [key, value] of Object.entries(nodeSelector)) {
    const own = getOwn(spec.nodeSelector, key);
    if (own !== undefined && own !== value)
      throw refuse(
        attributes,
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
      );
  }
  if (Object.keys(nodeSelector).length > 0) spec.nodeSelector = { ...spec.nodeSelector, ...nodeSelector };
  if (tolerations.length > 0) spec.tolerations = mergeTolerations(spec.tolerations ?? [], tolerations);
}

function check(attributes: AdmissionAttributes, deps: PluginDeps): void {
  const found = classOf(attributes, deps);
  const { overhead } = podOf(attributes).spec;
  if (!deps.gate('PodOverhead')) return;
  if (found?.overhead && !deepEqual(overhead ?? {}, found.overhead.podFixed ?? {}))
    throw refuse(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  if (!found?.overhead && overhead && Object.keys(overhead).length > 0)
    throw refuse(attributes, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
}
