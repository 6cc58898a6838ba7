import type { Names } from '../../names/index.ts';
import {
  selectorOf,
  selectorOfLabels,
  selectorOfObject,
  type LabelSelector,
  type Selector,
} from '../../schema/index.ts';
import { ConfigurationError, type Fields } from '../config/fields.ts';
import type { NodeInfo } from '../framework/nodeInfo.ts';
import { MAX_SCORE, plugin, refuse, refuseForGood, type Cycle, type Plugin } from '../framework/plugin.ts';
import { matchesNode } from './nodeAffinity.ts';

interface Constraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly selector: Selector;
}

interface FilterState {
  readonly constraints: readonly Constraint[];
  /** Per constraint: how many matching pods each place of its topology has. */
  readonly counts: readonly ReadonlyMap<string, number>[];
}

interface ScoreState extends FilterState {
  /** Nodes without all of the labels that the pod's own constraints name. */
  readonly ignored: ReadonlySet<string>;
  readonly weights: readonly number[];
}

const MISMATCH = "node(s) didn't match pod topology spread constraints";

const hostname = (names: Names): string => names.fill('{label}/hostname');
const zone = (names: Names): string => names.fill('topology.{label}/zone');

type WhenUnsatisfiable = 'DoNotSchedule' | 'ScheduleAnyway';

function constraintsOf({ pod }: Cycle, whenUnsatisfiable: WhenUnsatisfiable): Constraint[] {
  return (pod.spec.topologySpreadConstraints ?? [])
    .filter((constraint) => constraint.whenUnsatisfiable === whenUnsatisfiable)
    .map(({ maxSkew, topologyKey, labelSelector }) => ({
      maxSkew,
      topologyKey,
      selector: selectorOfObject(labelSelector),
    }));
}

/** A constraint for pods that have none of their own. */
interface DefaultConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: WhenUnsatisfiable;
}

/** Which constraints pods get that say nothing: those that a profile lists, or the system's. */
type Defaults = readonly DefaultConstraint[] | 'system';

/** Spreads the pods of one service or owner over nodes and zones, softly. */
const systemDefaults = (names: Names): readonly DefaultConstraint[] => [
  { maxSkew: 3, topologyKey: hostname(names), whenUnsatisfiable: 'ScheduleAnyway' },
  { maxSkew: 5, topologyKey: zone(names), whenUnsatisfiable: 'ScheduleAnyway' },
];

function defaultConstraints(cycle: Cycle, defaults: Defaults, when: WhenUnsatisfiable): Constraint[] {
  const all = defaults === 'system' ? systemDefaults(cycle.listers.names) : defaults;
  const wanted = all.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === when);
  if (wanted.length === 0 || (cycle.pod.spec.topologySpreadConstraints ?? []).length > 0) return [];
  const selector = ownersSelector(cycle);
  return selector ? wanted.map(({ maxSkew, topologyKey }) => ({ maxSkew, topologyKey, selector })) : [];
}

/** Selects what all services and owners that select the pod have in common. */
function ownersSelector({ pod, listers }: Cycle): Selector | undefined {
  const namespace = pod.metadata.namespace ?? '';
  const labels = pod.metadata.labels ?? {};
  const maps = [...listers.servicesIn(namespace), ...listers.replicationControllersIn(namespace)].map(
    (owner) => owner.spec.selector ?? {},
  );
  const selectors = [...listers.replicaSetsIn(namespace), ...listers.statefulSetsIn(namespace)].map(
    (owner) => owner.spec.selector,
  );
  const all = [
    ...maps.filter((map) => Object.keys(map).length > 0).map((map) => selectorOfLabels(map)),
    ...selectors.filter((s): s is LabelSelector => Boolean(s)).map((s) => selectorOfObject(s)),
  ].filter((selector) => !selector.matchesEverything && selector.matches(labels));
  return all.length === 0 ? undefined : selectorOf(all.flatMap((selector) => selector.requirements));
}

function matching({ pod }: Cycle, node: NodeInfo, selector: Selector): number {
  const inNamespace = node.pods.filter(
    ({ pod: other }) =>
      other.metadata.namespace === pod.metadata.namespace && other.metadata.deletionTimestamp === undefined,
  );
  return inNamespace.filter(({ pod: other }) => selector.matches(other.metadata.labels ?? {})).length;
}

const hasAll = (node: NodeInfo, constraints: readonly Constraint[]): boolean =>
  constraints.every((c) => node.labels[c.topologyKey] !== undefined);

/** Counts matching pods by place, on the nodes to which the pod could go by its own affinity. */
function countByPlace(
  cycle: Cycle,
  constraints: readonly Constraint[],
  requireAll: boolean,
): ReadonlyMap<string, number>[] {
  const nodes = cycle.snapshot.nodes.filter(
    (node) => matchesNode(cycle.pod.spec, node) && (!requireAll || hasAll(node, constraints)),
  );
  return constraints.map(({ topologyKey, selector }) => {
    const counts = new Map<string, number>();
    for (const node of nodes) {
      const place = node.labels[topologyKey];
      if (place !== undefined) counts.set(place, (counts.get(place) ?? 0) + matching(cycle, node, selector));
    }
    return counts;
  });
}

function prepareScore(cycle: Cycle, feasible: readonly NodeInfo[], defaults: Defaults): ScoreState {
  const own = constraintsOf(cycle, 'ScheduleAnyway');
  const requireAll = defaults !== 'system' || (cycle.pod.spec.topologySpreadConstraints ?? []).length > 0;
  const constraints = own.length > 0 ? own : defaultConstraints(cycle, defaults, 'ScheduleAnyway');
  const ignored = new Set(
    requireAll ? feasible.filter((node) => !hasAll(node, constraints)).map((node) => node.name) : [],
  );
  const places = (key: string): number =>
    new Set(feasible.filter((n) => !ignored.has(n.name)).map((n) => n.labels[key])).size;
  const counts = constraints.length === 0 ? [] : countByPlace(cycle, constraints, requireAll);
  return { constraints, counts, ignored, weights: constraints.map((c) => Math.log(places(c.topologyKey) + 2)) };
}

/** Keeps pods of one kind spread over zones, nodes or whatever their constraints name. */
const make = (defaults: Defaults): Plugin =>
  plugin<FilterState, ScoreState>({
    name: 'PodTopologySpread',
    weight: 2,
    prepareFilter(cycle) {
      const own = constraintsOf(cycle, 'DoNotSchedule');
      const constraints = own.length > 0 ? own : defaultConstraints(cycle, defaults, 'DoNotSchedule');
      return { constraints, counts: constraints.length === 0 ? [] : countByPlace(cycle, constraints, true) };
    },
    filter({ pod }, node, { constraints, counts }) {
      for (const [i, { topologyKey, selector, maxSkew }] of constraints.entries()) {
        const place = node.labels[topologyKey];
        if (place === undefined) return refuseForGood(`${MISMATCH} (missing required label)`);
        const byPlace = counts[i] ?? new Map<string, number>();
        const least = byPlace.size === 0 ? 0 : Math.min(...byPlace.values());
        const own = selector.matches(pod.metadata.labels ?? {}) ? 1 : 0;
        if ((byPlace.get(place) ?? 0) + own - least > maxSkew) return refuse(MISMATCH);
      }
      return undefined;
    },
    prepareScore: (cycle, feasible) => prepareScore(cycle, feasible, defaults),
    score(cycle, node, { constraints, counts, ignored, weights }) {
      if (ignored.has(node.name)) return 0;
      const isNode = (key: string): boolean => key === hostname(cycle.listers.names);
      const sum = constraints.reduce((total, { topologyKey, selector, maxSkew }, i) => {
        const place = node.labels[topologyKey];
        if (place === undefined) return total;
        const count = isNode(topologyKey) ? matching(cycle, node, selector) : (counts[i]?.get(place) ?? 0);
        return total + count * (weights[i] ?? 0) + (maxSkew - 1);
      }, 0);
      return Math.trunc(sum);
    },
    normalize(scores, _cycle, feasible, { constraints, ignored }) {
      if (constraints.length === 0) return scores.map(() => 0);
      const counted = scores.filter((_, i) => !ignored.has(feasible[i]?.name ?? ''));
      const [least, most] = [Math.min(...counted), Math.max(0, ...counted)];
      return scores.map((score, i) => {
        if (ignored.has(feasible[i]?.name ?? '')) return 0;
        return most === 0 ? MAX_SCORE : Math.floor((MAX_SCORE * (most + least - score)) / most);
      });
    },
  });

export const podTopologySpread = make('system');

/** Reads `defaultConstraints` and `defaultingType`. */
export function podTopologySpreadWith(told: Fields): Plugin {
  const constraints = told.list('defaultConstraints').map((fields) => {
    const constraint = {
      maxSkew: fields.number('maxSkew', 1, 2 ** 31 - 1) ?? 1,
      topologyKey: fields.text('topologyKey') ?? '',
      whenUnsatisfiable: whenOf(fields),
    };
    if (constraint.topologyKey === '') throw new ConfigurationError(`${fields.at('topologyKey')}: can not be empty`);
    fields.end();
    return constraint;
  });
  const type = told.text('defaultingType') ?? 'System';
  if (type !== 'System' && type !== 'List')
    throw new ConfigurationError(`${told.at('defaultingType')}: Unsupported value: "${type}": use System or List`);
  if (type === 'System' && constraints.length > 0)
    throw new ConfigurationError(
      `${told.at('defaultConstraints')}: when .defaultingType is System, it has to be empty`,
    );
  return make(type === 'System' ? 'system' : constraints);
}

function whenOf(fields: Fields): WhenUnsatisfiable {
  const when = fields.text('whenUnsatisfiable');
  if (when === 'DoNotSchedule' || when === 'ScheduleAnyway') return when;
  const path = fields.at('whenUnsatisfiable');
  throw new ConfigurationError(`${path}: Unsupported value: "${when ?? ''}": use DoNotSchedule or ScheduleAnyway`);
}
