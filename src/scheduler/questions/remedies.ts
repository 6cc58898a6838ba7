/** Small changes that would make a pod schedulable. Each was tried on a copy of the cluster. */
import type { Node, Pod } from '../../client/index.ts';
import { tolerates, type objects } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import type { NodeInfo } from '../framework/nodeInfo.ts';
import { requestOf } from '../framework/resources.ts';
import { situationWith, type Draft } from './draft.ts';
import { winnersOf } from './round.ts';
import type { Situation } from './situation.ts';
import { tippingPoints, withRequest } from './tipping.ts';

export interface Remedy {
  /** The action, as an imperative sentence without its period. */
  readonly title: string;
  readonly draft: Draft;
  /** Where the pod would be placed. */
  readonly winners: readonly string[];
}

type Attempt = Omit<Remedy, 'winners'>;

/** The maximum number of remedies; the smallest changes come first. */
const MOST = 6;

/** Empty if the pod fits somewhere, or if no small change helps. */
export async function remediesFor(situation: Situation, pod: Pod): Promise<readonly Remedy[]> {
  if ((await winnersOf(situation, pod)).length > 0) return [];
  const helpful: Remedy[] = [];
  for (const attempt of await attempts(situation, pod)) {
    const winners = await winnersOf(situationWith(situation, attempt.draft), attempt.draft.pod ?? pod);
    if (winners.length > 0) helpful.push({ ...attempt, winners });
    if (helpful.length === MOST) break;
  }
  return helpful;
}

async function attempts(situation: Situation, pod: Pod): Promise<readonly Attempt[]> {
  const { nodes } = situation.snapshot;
  const { ephemeralStorage, scalars } = requestOf(pod);
  const requested = ['cpu', 'memory', ...(ephemeralStorage > 0 ? ['ephemeral-storage'] : []), ...scalars.keys()];
  const smaller: Attempt[] = [];
  for (const resource of requested) smaller.push(...(await smallerRequest(situation, pod, resource)));
  return [
    ...smaller,
    ...tolerations(nodes, pod),
    ...uncordoned(nodes),
    ...labels(nodes, pod),
    ...looser(pod),
    ...anotherNode(nodes),
  ];
}

async function smallerRequest(situation: Situation, pod: Pod, resource: string): Promise<readonly Attempt[]> {
  const { below } = await tippingPoints(situation, pod, { of: 'request', resource });
  if (!below || below.winners.length === 0) return [];
  const title = `Request ${amountWords(resource, below.value)} or less`;
  return [{ title, draft: { pod: withRequest(pod, resource, below.value) } }];
}

function amountWords(resource: string, amount: number): string {
  if (resource === 'cpu') return `${amount}m CPU`;
  if (resource === 'memory' || resource === 'ephemeral-storage')
    return `${Math.floor(amount / 2 ** 20)} Mi of ${resource}`;
  return `${amount} of ${resource}`;
}

const textOf = ({ key, value, effect }: objects.Taint): string => `${key}${value ? `=${value}` : ''}:${effect}`;

function tolerations(nodes: readonly NodeInfo[], pod: Pod): readonly Attempt[] {
  const own = pod.spec.tolerations ?? [];
  const hard = nodes
    .flatMap(({ node }) => node.spec.taints ?? [])
    .filter((taint) => taint.effect !== 'PreferNoSchedule' && !own.some((each) => tolerates(each, taint)));
  const distinct = new Map(hard.map((taint) => [textOf(taint), taint]));
  return Array.from(distinct, ([text, { key, value, effect }]) => {
    const added = { key, operator: 'Equal' as const, ...(value && { value }), effect };
    const draft = { pod: { ...pod, spec: { ...pod.spec, tolerations: [...own, added] } } };
    return { title: `Let the pod tolerate the taint ${text}`, draft };
  });
}

function uncordoned(nodes: readonly NodeInfo[]): readonly Attempt[] {
  return nodes
    .filter(({ node }) => node.spec.unschedulable)
    .map(({ name, node }) => {
      const { unschedulable: _, ...spec } = node.spec;
      const taints = spec.taints?.filter(({ key }) => !key.endsWith('/unschedulable'));
      const open = { ...node, spec: { ...spec, ...(taints && { taints }) } };
      return { title: `Let node ${name} take pods again`, draft: { nodes: [open] } };
    });
}

/** Adds labels that the pod's selector requires to the first nodes without them. */
function labels(nodes: readonly NodeInfo[], pod: Pod): readonly Attempt[] {
  const wanted = Object.entries(pod.spec.nodeSelector ?? {});
  if (wanted.length === 0) return [];
  const lacking = nodes.filter((node) => wanted.some(([key, value]) => getOwn(node.labels, key) !== value));
  const text = wanted.map(([key, value]) => `${key}=${value}`).join(', ');
  return lacking.slice(0, MOST).map(({ name, node }) => {
    const metadata = { ...node.metadata, labels: { ...node.metadata.labels, ...pod.spec.nodeSelector } };
    return { title: `Label node ${name} with ${text}`, draft: { nodes: [{ ...node, metadata }] } };
  });
}

/** Removes one of the pod's node restrictions. */
function looser(pod: Pod): readonly Attempt[] {
  const { nodeSelector, affinity, topologySpreadConstraints, ...spec } = pod.spec;
  const kept = {
    ...(nodeSelector && { nodeSelector }),
    ...(affinity && { affinity }),
    ...(topologySpreadConstraints && { topologySpreadConstraints }),
  };
  const without = (title: string, key: keyof typeof kept): readonly Attempt[] => {
    const { [key]: dropped, ...others } = kept;
    return dropped ? [{ title, draft: { pod: { ...pod, spec: { ...spec, ...others } } } }] : [];
  };
  return [
    ...without('Drop the pod’s node selector', 'nodeSelector'),
    ...without('Drop the pod’s affinity rules', 'affinity'),
    ...without('Drop the pod’s spreading rules', 'topologySpreadConstraints'),
  ];
}

/** Adds an empty, schedulable node like the largest one. */
function anotherNode(nodes: readonly NodeInfo[]): readonly Attempt[] {
  const [first] = [...nodes].sort((a, b) => b.allocatable.cpu - a.allocatable.cpu);
  return first
    ? [{ title: `Add a node like ${first.name}`, draft: { nodes: [likeNode(first.node, freeName(nodes))] } }]
    : [];
}

function freeName(nodes: readonly NodeInfo[]): string {
  const taken = new Set(nodes.map(({ name }) => name));
  let i = nodes.length + 1;
  while (taken.has(`node-${i}`)) i += 1;
  return `node-${i}`;
}

function likeNode(node: Node, name: string): Node {
  const { labels = {}, annotations = {} } = node.metadata;
  const own = Object.entries(labels).map(([key, value]) => [key, key.endsWith('/hostname') ? name : value] as const);
  const { taints: _taints, unschedulable: _unschedulable, podCIDR: _range, podCIDRs: _ranges, ...spec } = node.spec;
  const { creationTimestamp } = node.metadata;
  const { images: _images, ...status } = node.status;
  const metadata = { name, creationTimestamp, labels: Object.fromEntries(own), annotations };
  return { ...node, metadata, spec, status };
}
