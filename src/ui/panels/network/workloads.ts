/** Pods folded into what owns them: the rows of the matrix and the nodes of the map. */
import { controllerOf, POD_TEMPLATE_HASH } from '../../../schema/index.ts';
import { getOwn } from '../../../std/index.ts';
import {
  addressesOfPod,
  isolatingPolicies,
  type Matrix,
  type NetworkObjects,
  type NetworkView,
} from '../../../network/index.ts';

type Pod = NetworkObjects['pods'];

export interface Workload {
  /** `namespace/kind/name`. */
  readonly key: string;
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
  readonly pods: readonly Pod[];
}

const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** What a person would call a pod's owner: a ReplicaSet that a Deployment made is that Deployment. */
function ownerOf(pod: Pod): { readonly kind: string; readonly name: string } {
  const owner = controllerOf(pod);
  if (!owner) return { kind: 'Pod', name: pod.metadata?.name ?? '' };
  const hash = pod.metadata?.labels?.[POD_TEMPLATE_HASH];
  const isOfDeployment = owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`);
  return isOfDeployment
    ? { kind: 'Deployment', name: owner.name.slice(0, -hash.length - 1) }
    : { kind: owner.kind, name: owner.name };
}

/** The workloads of a view, by namespace and name; with `folded` off each pod stands for itself. */
export function workloadsOf(view: NetworkView, folded: boolean): Workload[] {
  const found = new Map<string, { namespace: string; kind: string; name: string; pods: Pod[] }>();
  for (const pod of view.all('pods')) {
    if (hasEnded(pod)) continue;
    const namespace = pod.metadata?.namespace ?? '';
    const { kind, name } = folded ? ownerOf(pod) : { kind: 'Pod', name: pod.metadata?.name ?? '' };
    const key = `${namespace}/${kind}/${name}`;
    const group = found.get(key) ?? { namespace, kind, name, pods: [] };
    group.pods.push(pod);
    found.set(key, group);
  }
  return [...found]
    .map(([key, group]) => ({ key, ...group }))
    .sort((a, b) => compare(a.namespace, b.namespace) || compare(a.name, b.name) || compare(a.kind, b.kind));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Whether a workload has a text in its key, or labels where the text is `app=web,tier=front`; the value may be left out. */
export function matchesFilter({ key, pods }: Workload, text: string): boolean {
  if (!text.includes('=')) return key.includes(text);
  const wanted = text.split(',').map((part) => part.split('='));
  return pods.some(({ metadata }) =>
    wanted.every(([name = '', value = '']) => {
      const own = getOwn(metadata?.labels ?? {}, name.trim());
      return own !== undefined && (value === '' || own === value.trim());
    }),
  );
}

/** A pod has no address until it runs: nothing reaches it, and it reaches nothing. */
const hasAddress = (pod: Pod): boolean => addressesOfPod(pod).length > 0;

/** Whether a workload has pods of which none has an address yet. */
export const isIdle = ({ pods }: Workload): boolean => pods.length > 0 && !pods.some(hasAddress);

/** The verdict on two workloads: for all of their pods that have an address, for some, or for none; `idle` where one has no such pod. */
export type Reach = 'all' | 'some' | 'none' | 'idle';

/** How far a workload reaches another one, as the numbers of `WorkloadMatrix.degrees`. */
const REACHES = ['none', 'some', 'all', 'idle'] as const;
const IDLE = REACHES.indexOf('idle');

/** Reads verdicts on workloads out of a matrix of pods. */
export class WorkloadMatrix {
  readonly #matrix: Matrix;
  readonly #indices: ReadonlyMap<string, number>;
  readonly #positions: readonly (readonly number[])[];
  #degrees: Uint8Array | undefined;

  constructor(matrix: Matrix, workloads: readonly Workload[]) {
    this.#matrix = matrix;
    const at = new Map(
      matrix.pods.map((pod, i) => [`${pod.metadata?.namespace ?? ''}/${pod.metadata?.name ?? ''}`, i]),
    );
    const positionOf = (pod: Pod): number =>
      at.get(`${pod.metadata?.namespace ?? ''}/${pod.metadata?.name ?? ''}`) ?? -1;
    this.#indices = new Map(workloads.map(({ key }, i) => [key, i]));
    this.#positions = workloads.map(({ pods }) =>
      pods
        .filter(hasAddress)
        .map(positionOf)
        .filter((position) => position >= 0),
    );
  }

  reach(from: Workload, to: Workload): Reach {
    const [sender, receiver] = [this.#indices.get(from.key), this.#indices.get(to.key)];
    if (sender === undefined || receiver === undefined) return 'none';
    return REACHES[this.degrees()[sender * this.#positions.length + receiver] ?? 0] ?? 'none';
  }

  /** For each pair of workloads, row by row: 0 where none of their pods connect, 1 where some do, 2 where all do, 3 where one has no pods with an address. */
  degrees(): Uint8Array {
    if (this.#degrees) return this.#degrees;
    const degrees = new Uint8Array(this.#positions.length ** 2);
    let at = 0;
    for (const senders of this.#positions)
      for (const receivers of this.#positions) degrees[at++] = this.#degree(senders, receivers);
    return (this.#degrees = degrees);
  }

  #degree(senders: readonly number[], receivers: readonly number[]): number {
    if (senders.length === 0 || receivers.length === 0) return IDLE;
    let allowed = 0;
    for (const sender of senders)
      for (const receiver of receivers) if (this.#matrix.allows(sender, receiver)) allowed++;
    if (allowed === 0) return 0;
    return allowed === senders.length * receivers.length ? 2 : 1;
  }
}

export interface PortChoice {
  /** `TCP/80`. */
  readonly value: string;
  readonly label: string;
}

/** The ports that pods declare, the most common first. Those of the cluster's own pods are not what people ask about first. */
export function portsOf(workloads: readonly Workload[], systemNamespace: string): PortChoice[] {
  const counts = new Map<string, { count: number; name: string }>();
  for (const { pods, namespace } of workloads)
    for (const { spec } of pods)
      for (const { ports } of spec?.containers ?? [])
        for (const { containerPort, protocol = 'TCP', name = '' } of ports ?? []) {
          const value = `${protocol}/${containerPort}`;
          const known = counts.get(value);
          counts.set(value, {
            count: (known?.count ?? 0) + (namespace === systemNamespace ? 0 : 1),
            name: known?.name || name,
          });
        }
  if (!counts.has('TCP/80')) counts.set('TCP/80', { count: 0, name: '' });
  return [...counts]
    .sort(([a, x], [b, y]) => y.count - x.count || compare(a, b))
    .map(([value, { name }]) => ({ value, label: `${value.replace('/', ' ')}${name ? ` (${name})` : ''}` }));
}

/** Reads `TCP/80`. */
export function parsePort(value: string): { readonly port: number; readonly protocol: 'TCP' | 'UDP' | 'SCTP' } {
  const [protocol, port] = value.split('/');
  return { port: Number(port), protocol: protocol === 'UDP' || protocol === 'SCTP' ? protocol : 'TCP' };
}

/** Which traffic of a workload's pods policies restrict: `incoming`, `outgoing`, both, or an empty text. */
export function isolationOf({ pods }: Workload, view: NetworkView): string {
  const incoming = pods.some((pod) => isolatingPolicies(pod, 'Ingress', view).length > 0);
  const outgoing = pods.some((pod) => isolatingPolicies(pod, 'Egress', view).length > 0);
  return [incoming && 'incoming', outgoing && 'outgoing'].filter(Boolean).join(' and ');
}
