/**
 * Priority: sets a pod's priority from its class; nobody may set the number directly, and only one class may be the
 * default.
 */
import { status, type objects } from '../../schema/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { isPod, oldPodOf, podOf } from './pods.ts';
import { refuse } from './refuse.ts';

type PriorityClass = objects.PriorityClass;

export const priority: PluginDeclaration = {
  name: 'Priority',
  on: true,
  create: (deps) => ({
    name: 'Priority',
    handles: (operation) => operation !== 'CONNECT',
    admit: (attributes) => {
      if (isPod(attributes) && attributes.operation !== 'DELETE') resolve(attributes, deps);
    },
    validate: (attributes) => onlyOneDefault(attributes, deps),
  }),
};

const classes = ({ names }: PluginDeps): { group: string; resource: string } => ({
  group: names.fill('scheduling.{domain}'),
  resource: 'priorityclasses',
});

function resolve(attributes: AdmissionAttributes, deps: PluginDeps): void {
  const { spec } = podOf(attributes);
  const old = attributes.operation === 'UPDATE' ? oldPodOf(attributes)?.spec : undefined;
  if (old) {
    // The resolved priority stays, even if the class changes.
    if (spec.priority === undefined && old.priority !== undefined) spec.priority = old.priority;
    if (spec.preemptionPolicy === undefined && old.preemptionPolicy !== undefined)
      spec.preemptionPolicy = old.preemptionPolicy;
    return;
  }
  const found = classOf(attributes, deps);
  const value = found?.value ?? 0;
  if (found && !spec.priorityClassName) spec.priorityClassName = found.metadata?.name ?? '';
  if (spec.priority !== undefined && spec.priority !== value)
    throw refuse(
      attributes,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    );
  spec.priority = value;
  if (deps.gate('NonPreemptingPriority')) choosePreemption(attributes, found);
}

/** The class that the pod names, or the default one. */
function classOf(attributes: AdmissionAttributes, deps: PluginDeps): PriorityClass | undefined {
  const name = podOf(attributes).spec.priorityClassName ?? '';
  if (name === '') return defaultClass(deps);
  const found = deps.get(classes(deps), '', name);
  if (!found) throw refuse(attributes, `no PriorityClass with name ${name} was found`);
  return found as PriorityClass;
}

/** Of several default classes, the one with the lowest value. */
function defaultClass(deps: PluginDeps): PriorityClass | undefined {
  const all = deps.list(classes(deps), '') as readonly PriorityClass[];
  return all.filter((c) => c.globalDefault).sort((a, b) => a.value - b.value)[0];
}

function choosePreemption(attributes: AdmissionAttributes, found: PriorityClass | undefined): void {
  const { spec } = podOf(attributes);
  const policy = found?.preemptionPolicy ?? 'PreemptLowerPriority';
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
    throw refuse(
      attributes,
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    );
  }
  spec.preemptionPolicy = policy;
}

function onlyOneDefault(attributes: AdmissionAttributes, deps: PluginDeps): void {
  const { resource, operation, object, subresource } = attributes;
  const { group, resource: plural } = classes(deps);
  if (resource.group !== group || resource.resource !== plural || subresource !== '' || operation === 'DELETE') return;
  const wanted = object as PriorityClass;
  if (!wanted.globalDefault) return;
  const current = defaultClass(deps);
  if (!current || (operation === 'UPDATE' && current.metadata?.name === wanted.metadata?.name)) return;
  throw status.forbidden(
    { group, resource: plural },
    wanted.metadata?.name ?? '',
    `PriorityClass ${current.metadata?.name ?? ''} is already marked as default. Only one default can exist`,
  );
}
