/** What the scheduler answers, in sentences. */
import { getOwn } from '../../../std/index.ts';
import { timeOfDay } from '../../stores/clock.ts';
import type {
  DrainOutcome,
  NodeRow,
  Placement,
  PreemptionCandidate,
  PreemptionStory,
  SchedulingAsked,
  SchedulingOverview,
} from '../../scheduling.ts';

const GIBI = 2 ** 30;
const MEBI = 2 ** 20;
const round = (value: number): string => String(Math.round(value * 100) / 100);

/** An amount of a resource as a person writes it; CPU comes in thousandths of a core, memory and storage in bytes. */
export function amountText(resource: string, amount: number): string {
  if (amount === 0) return '0';
  if (resource === 'cpu') return Math.abs(amount) >= 1000 ? round(amount / 1000) : `${amount}m`;
  if (resource !== 'memory' && resource !== 'ephemeral-storage') return String(amount);
  if (Math.abs(amount) >= GIBI) return `${round(amount / GIBI)}Gi`;
  return `${round(amount / MEBI)}Mi`;
}

const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** `a`, `a and b`, `a, b and 3 more`; with `or` where that is the word. */
export function listed(names: readonly string[], most = 3, word: 'and' | 'or' = 'and'): string {
  if (names.length === 0) return 'none';
  if (names.length === 1) return names[0] ?? '';
  if (names.length <= most) return `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
  return `${names.slice(0, most - 1).join(', ')} ${word} ${names.length - most + 1} more`;
}

/** Where the pod goes and why, in one sentence. */
export function placementText({ pod, winners, nodes, refusedEverywhere }: Placement): string {
  const fitting = nodes.filter(({ fits }) => fits).length;
  if (nodes.length === 0) return `${pod} has nowhere to go: there are no nodes.`;
  if (refusedEverywhere) {
    const reasons = refusedEverywhere.reasons.join(', ');
    return `${pod} can’t be placed on any node, whichever it is: ${reasons} (${refusedEverywhere.plugin}).`;
  }
  if (winners.length === 0) return `${pod} fits on none of ${count(nodes.length, 'node')}.`;
  if (fitting === 1) return `${pod} goes to ${winners[0]}: it fits on no other of ${count(nodes.length, 'node')}.`;
  const total = nodes.find(({ node }) => node === winners[0])?.total ?? 0;
  if (winners.length === 1)
    return `${pod} goes to ${winners[0]}: of ${count(fitting, 'node')} that fit it has the highest score, ${total}.`;
  return `${pod} goes to ${listed(winners, 3, 'or')}, chosen at random: they share the highest score, ${total}.`;
}

/** Why nodes were refused, the reason of most nodes first. */
export function refusals(nodes: readonly NodeRow[]): readonly {
  readonly plugin: string;
  readonly reason: string;
  readonly nodes: readonly string[];
}[] {
  const groups = new Map<string, { plugin: string; reason: string; nodes: string[] }>();
  for (const { node, first } of nodes)
    for (const reason of first?.reasons ?? []) {
      const plugin = first?.plugin ?? '';
      const group = groups.get(`${plugin} ${reason}`) ?? { plugin, reason, nodes: [] };
      group.nodes.push(node);
      groups.set(`${plugin} ${reason}`, group);
    }
  return [...groups.values()].sort((a, b) => b.nodes.length - a.nodes.length);
}

const WAKING: Readonly<Record<string, string>> = {
  PodUpdate: 'the pod is changed',
  UnschedulableTimeout: 'a minute has passed',
  AssignedPodAdd: 'a pod gets its node',
  AssignedPodUpdate: 'a placed pod is changed',
  AssignedPodDelete: 'a pod leaves its node',
  NodeAdd: 'a node is added',
  NodeSpecUnschedulableChange: 'a node takes pods again',
  NodeAllocatableChange: 'a node has more room',
  NodeLabelChange: 'a node’s labels change',
  NodeTaintChange: 'a node’s taints change',
  NodeConditionChange: 'a node’s conditions change',
  PvAdd: 'a volume is added',
  PvUpdate: 'a volume changes',
  PvcAdd: 'a claim is added',
  PvcUpdate: 'a claim changes',
  CSINodeAdd: 'a storage driver is added',
  CSINodeUpdate: 'a storage driver changes',
  ServiceAdd: 'a service is added',
  ServiceUpdate: 'a service changes',
  ServiceDelete: 'a service is deleted',
  StorageClassAdd: 'a storage class is added',
};

/** An event of the queue in words. */
export const wakingText = (event: string): string => getOwn(WAKING, event) ?? event;

const BARS: Readonly<Record<NonNullable<PreemptionStory['barredBy']>, string>> = {
  profile: 'It preempts no pod: its profile makes no room.',
  extender: 'It preempts no pod, because an extender failed.',
  policy: 'It preempts no pod: its preemption policy is Never.',
  leaving: 'It preempts no pod else: the pods that have to go for it are still leaving.',
};

/** Who would have to go for a pod, in sentences. */
export function preemptionText({ barredBy, candidates, node, decidedBy }: PreemptionStory): string {
  if (barredBy) return BARS[barredBy];
  if (candidates.length === 0)
    return 'Preemption helps nowhere: no node would have room without pods of lower priority.';
  const chosen = candidates.find((candidate) => candidate.node === node);
  const victims = chosen ? listed(chosen.victims.map(({ pod }) => pod)) : 'nobody';
  const why = decidedBy ? ` It was chosen by ${decidedBy}.` : '';
  return `Room can be made on ${node}: ${victims} would go.${why} ${chosen ? budgetText(chosen) : ''}`.trim();
}

export const budgetText = ({ violations }: PreemptionCandidate): string =>
  violations === 0
    ? 'Every disruption budget is respected.'
    : `${count(violations, 'victim is', 'victims are')} protected by a disruption budget, which is violated.`;

export const comparisonNote =
  'Candidates are compared by these numbers in their order, until one is left: the smallest wins, of times the latest.';

/** A number that candidates are compared by. */
export function comparedText(
  { value, unit }: PreemptionCandidate['compared'][number],
  { victims }: PreemptionCandidate,
): string {
  if (!Number.isFinite(value)) return 'none';
  if (unit === 'time') return timeOfDay(-value);
  if (unit !== 'priorities') return String(value);
  const sum = victims.reduce((all, { priority }) => all + priority, 0);
  return `${sum} and 2³¹ for each of ${count(victims.length, 'victim')}`;
}

/** What becomes of a pod when its node is drained. */
export function drainText(outcome: DrainOutcome): string {
  const others = 'afterOthersOf' in outcome ? outcome.afterOthersOf : undefined;
  const later = others ? `, once those that the budget ${others} let go before it are ready elsewhere` : '';
  if (outcome.what === 'moves') return `moves to ${outcome.to}${later}`;
  if (outcome.what === 'has-no-place') return `has no place${later}: ${outcome.why}`;
  if (outcome.what === 'blocked') return `can’t be evicted: the budget ${outcome.by} allows no disruption`;
  return outcome.what === 'stays' ? 'stays: its daemon set tolerates the node' : 'is lost: nothing makes it again';
}

/** The name of a plugin; of an extender, whose name is its address, without the scheme. */
export const pluginText = (name: string): string => name.replace(/^https?:\/\//, '');

/** What extenders have to do with an answer. */
export function extendersText(
  { extenders, asksExtenders }: Pick<SchedulingOverview, 'extenders' | 'asksExtenders'>,
  then: SchedulingAsked['then'],
): string {
  const [names, one] = [listed(extenders.map(pluginText)), extenders.length === 1];
  if (!asksExtenders)
    return `${names} ${one ? 'has' : 'have'} a say in decisions. About the past ${one ? 'it is' : 'they are'} not asked: what was decided can differ from what stands here.`;
  const moment = then
    ? ` ${one ? 'Its answer is' : 'Their answers are'} of now, even if nodes are looked at as they stood then.`
    : '';
  return `${names} ${one ? 'was' : 'were'} asked, too: to filter nodes, to score them, and whom to preempt. Nothing is bound by asking.${moment}`;
}

/** How the outcome with a draft differs from the one without. */
export function differenceText(now: Placement, then: Placement): string {
  const [before, after] = [now.winners, then.winners];
  if (before.join() === after.join())
    return after.length === 0 ? 'It still fits nowhere.' : `Nothing changes: it goes to ${anyOf(after)}.`;
  if (after.length === 0) return `It would fit nowhere, instead of on ${anyOf(before)}.`;
  return `It would go to ${anyOf(after)}${before.length === 0 ? '' : ` instead of ${anyOf(before)}`}.`;
}

/** The dice choose one among equals. */
const anyOf = (nodes: readonly string[]): string => listed(nodes, 3, 'or');

/** What changes on each node. */
export function nodeDifferences(now: Placement, then: Placement): readonly { node: string; change: string }[] {
  const before = new Map(now.nodes.map((row) => [row.node, row]));
  const changed = then.nodes.flatMap((row) => {
    const old = before.get(row.node);
    before.delete(row.node);
    const [was, is] = [old ? rowText(old) : 'not there', rowText(row)];
    return was === is ? [] : [{ node: row.node, change: `${was} → ${is}` }];
  });
  return [...changed, ...Array.from(before.keys(), (node) => ({ node, change: 'gone' }))];
}

function rowText({ first, fits, isReserved, total }: NodeRow): string {
  if (first) return first.reasons.join(', ');
  if (isReserved) return 'kept for nominated pods';
  if (!fits) return 'no answer of an extender';
  return total === undefined ? 'fits' : `score ${total}`;
}
