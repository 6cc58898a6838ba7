import { getOwn } from '../../../std/index.ts';
import type { Names } from '../../../names/index.ts';
import { selectorOfObject, type Selector } from '../../../schema/index.ts';
import { ConfigurationError, type Fields } from '../../config/fields.ts';
import type { NodeInfo } from '../../framework/nodeInfo.ts';
import type { Cycle } from '../../framework/plugin.ts';
import type { ByNode } from '../../framework/podIndex.ts';
import { matchesNode, restrictsNodes } from '../nodeAffinity.ts';
import { ownersSelector } from './owners.ts';

/** A spread constraint: the selected pods are spread over the values of a node label. */
export interface Constraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly selector: Selector;
}

export type WhenUnsatisfiable = 'DoNotSchedule' | 'ScheduleAnyway';

/** A constraint for pods without their own. */
interface DefaultConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: WhenUnsatisfiable;
}

/** The default constraints: those of a profile, or the system's. */
export type Defaults = readonly DefaultConstraint[] | 'system';

export const hostname = (names: Names): string => names.fill('{label}/hostname');
const zone = (names: Names): string => names.fill('topology.{label}/zone');

/** Soft spreading of the pods of one service or owner over nodes and zones. */
const systemDefaults = (names: Names): readonly DefaultConstraint[] => [
  { maxSkew: 3, topologyKey: hostname(names), whenUnsatisfiable: 'ScheduleAnyway' },
  { maxSkew: 5, topologyKey: zone(names), whenUnsatisfiable: 'ScheduleAnyway' },
];

/** The pod's own constraints of one kind; the defaults only if it has none of either kind. */
export function constraintsOf(cycle: Cycle, defaults: Defaults, when: WhenUnsatisfiable): readonly Constraint[] {
  const own = cycle.pod.spec.topologySpreadConstraints ?? [];
  if (own.length === 0) return defaultConstraints(cycle, defaults, when);
  return own
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === when)
    .map(({ maxSkew, topologyKey, labelSelector }) => ({
      maxSkew,
      topologyKey,
      selector: selectorOfObject(labelSelector),
    }));
}

function defaultConstraints(cycle: Cycle, defaults: Defaults, when: WhenUnsatisfiable): readonly Constraint[] {
  const all = defaults === 'system' ? systemDefaults(cycle.listers.names) : defaults;
  const wanted = all.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === when);
  const selector = wanted.length > 0 ? ownersSelector(cycle) : undefined;
  return selector ? wanted.map(({ maxSkew, topologyKey }) => ({ maxSkew, topologyKey, selector })) : [];
}

/** Whether a node has the label of every constraint. */
export function hasAllKeys({ labels }: NodeInfo, constraints: readonly Constraint[]): boolean {
  for (const { topologyKey } of constraints) if (getOwn(labels, topologyKey) === undefined) return false;
  return true;
}

/** The nodes that match the pod's node selector and affinity; undefined if these are all. */
export function nodesForPod({ pod, snapshot }: Cycle): readonly NodeInfo[] | undefined {
  return restrictsNodes(pod.spec) ? snapshot.nodes.filter((node) => matchesNode(pod.spec, node)) : undefined;
}

/** The placed pods of the pod's namespace that a selector matches, by node, without those that are terminating. */
export const matchingPods = ({ info, snapshot }: Cycle, selector: Selector): ByNode[] =>
  snapshot.podIndex
    .matching([info.namespace], selector)
    .flatMap(({ isTerminating, nodes }) => (isTerminating ? [] : nodes));

/** Calls back for each node with such pods, with their number. */
export function eachMatching(cycle: Cycle, selector: Selector, call: (node: NodeInfo, count: number) => void): void {
  for (const nodes of matchingPods(cycle, selector)) {
    for (const [name, count] of nodes) {
      const node = cycle.snapshot.get(name);
      if (node) call(node, count);
    }
  }
}

/** Reads `defaultConstraints` and `defaultingType`. */
export function defaultsFrom(args: Fields): Defaults {
  const constraints = args.list('defaultConstraints').map((fields) => {
    const constraint = {
      maxSkew: fields.number('maxSkew', 1, 2 ** 31 - 1) ?? 0,
      topologyKey: fields.text('topologyKey') ?? '',
      whenUnsatisfiable: whenFrom(fields),
    };
    if (constraint.maxSkew === 0)
      throw new ConfigurationError(`${fields.at('maxSkew')}: Invalid value: 0: must be greater than zero`);
    if (constraint.topologyKey === '') throw new ConfigurationError(`${fields.at('topologyKey')}: can not be empty`);
    fields.end();
    return constraint;
  });
  const of = ({ topologyKey, whenUnsatisfiable }: DefaultConstraint): string =>
    `{${topologyKey}, ${whenUnsatisfiable}}`;
  const repeated = constraints.findIndex((each, i) => constraints.slice(0, i).some((other) => of(other) === of(each)));
  const twice = constraints[repeated];
  if (twice)
    throw new ConfigurationError(`${args.at('defaultConstraints')}[${repeated}]: Duplicate value: "${of(twice)}"`);
  const type = args.text('defaultingType') ?? (constraints.length > 0 ? 'List' : 'System');
  if (type !== 'System' && type !== 'List')
    throw new ConfigurationError(`${args.at('defaultingType')}: Unsupported value: "${type}": use System or List`);
  if (type === 'System' && constraints.length > 0)
    throw new ConfigurationError(
      `${args.at('defaultConstraints')}: when .defaultingType is System, it has to be empty`,
    );
  return type === 'System' ? 'system' : constraints;
}

function whenFrom(fields: Fields): WhenUnsatisfiable {
  const when = fields.text('whenUnsatisfiable');
  if (when === 'DoNotSchedule' || when === 'ScheduleAnyway') return when;
  const path = fields.at('whenUnsatisfiable');
  throw new ConfigurationError(`${path}: Unsupported value: "${when ?? ''}": use DoNotSchedule or ScheduleAnyway`);
}
