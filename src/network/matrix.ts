/** Reachability: the policy verdicts for every pair of pods, and the differences between two views. */
import type { objects } from '../schema/index.ts';
import {
  isolatingPolicies,
  matchesPeers,
  matchesPorts,
  rulesOf,
  type Direction,
  type End,
  type Flow,
  type Policy,
  type PolicyRule,
  type Protocol,
} from './policy/judge.ts';
import { addressesOfPod, keyOf, namespaceOf, onHostNetwork, type NetworkView } from './view.ts';

export interface MatrixPort {
  /** A number, or the name of a container port, whose number may differ between pods. */
  readonly port: number | string;
  readonly protocol: Protocol;
}

/** The verdict for one pair. */
export interface Cell {
  readonly egress: boolean;
  readonly ingress: boolean;
}

/** Verdicts for every pair of `pods`: rows are senders, columns receivers. */
export class Matrix {
  readonly pods: readonly objects.Pod[];
  readonly port: MatrixPort;
  private readonly sides: Readonly<Record<Direction, Side>>;
  readonly #egress: Uint8Array;
  readonly #ingress: Uint8Array;

  /** `before` is a matrix of the same pods and port in a view that differs only in network policies. */
  constructor(pods: readonly objects.Pod[], port: MatrixPort, view: NetworkView, before?: Matrix) {
    this.pods = pods;
    this.port = port;
    const ends = pods.map((pod): End => ({ address: addressesOfPod(pod)[0] ?? '', pod }));
    const sideFor = (direction: Direction): Side =>
      sideOf(new RuleTable(direction, ends, port, view, before?.sides[direction].rules), before?.sides[direction]);
    this.sides = { Egress: sideFor('Egress'), Ingress: sideFor('Ingress') };
    this.#egress = this.sides.Egress.verdicts;
    this.#ingress = this.sides.Ingress.verdicts;
  }

  /**
   * The same pods and port in a view that differs only in network policies: the cost is proportional to the
   * differences.
   */
  under(view: NetworkView): Matrix {
    return new Matrix(this.pods, this.port, view, this);
  }

  cell(from: number, to: number): Cell {
    const at = from * this.pods.length + to;
    return { egress: this.#egress[at] === 1, ingress: this.#ingress[at] === 1 };
  }

  allows(from: number, to: number): boolean {
    const at = from * this.pods.length + to;
    return this.#egress[at] === 1 && this.#ingress[at] === 1;
  }
}

/** One direction: the verdicts of all pairs, and the rules that decide them. */
interface Side {
  readonly verdicts: Uint8Array;
  readonly rules: RuleTable;
}

/**
 * The verdicts of one direction for all pairs. Each rule's peers are matched once for each pod, not for each pair.
 * Verdicts of namespaces with unchanged policies are reused.
 */
function sideOf(rules: RuleTable, before: Side | undefined): Side {
  const { direction, ends } = rules;
  const count = ends.length;
  const verdicts = before ? before.verdicts.slice() : new Uint8Array(count * count).fill(1);
  ends.forEach((subject, s) => {
    if (before && !rules.differs(subject, before.rules)) return;
    const isolating = rules.isolating(subject);
    // Egress fills a row, ingress a column.
    const [start, step] = direction === 'Egress' ? [s * count, 1] : [s, count];
    for (let o = 0; o < count; o++) verdicts[start + o * step] = isolating ? 0 : 1;
    if (!isolating) return;
    for (const { peers, ports } of isolating)
      if (direction === 'Egress')
        for (let o = 0; o < count; o++)
          verdicts[start + o] = (verdicts[start + o] ?? 0) | ((peers[o] ?? 0) & (ports[o] ?? 0));
      else if (ports[s] === 1)
        for (let o = 0; o < count; o++)
          verdicts[start + o * step] = (verdicts[start + o * step] ?? 0) | (peers[o] ?? 0);
    ends.forEach((other, o) => {
      if (s === o || isOwnNode(direction, subject, other)) verdicts[start + o * step] = 1;
    });
  });
  return { verdicts, rules };
}

/** A host-network pod on the other pod's node uses the node's address. */
function isOwnNode(direction: Direction, subject: End, other: End): boolean {
  if (direction === 'Egress' || !other.pod || !onHostNetwork(other.pod)) return false;
  return other.pod.spec?.nodeName === subject.pod?.spec?.nodeName;
}

/** The pods that a rule's peers match, and the pods with one of its ports; 1 for a match. */
interface PreparedRule {
  readonly peers: Uint8Array;
  readonly ports: Uint8Array;
}

class RuleTable {
  readonly direction: Direction;
  readonly ends: readonly End[];
  readonly #port: MatrixPort;
  readonly #view: NetworkView;
  private readonly prepared: Map<Policy, readonly PreparedRule[]>;
  /** The policies of each namespace when the table was made, because a view may change later. */
  private readonly policies: ReadonlyMap<string, readonly Policy[]>;

  /** Prepared rules of `before` are reused for unchanged policies, because the pods are the same. */
  constructor(direction: Direction, ends: readonly End[], port: MatrixPort, view: NetworkView, before?: RuleTable) {
    this.direction = direction;
    this.ends = ends;
    this.#port = port;
    this.#view = view;
    this.prepared = new Map(before?.prepared);
    const namespaces = new Set(ends.map(namespaceOfEnd));
    this.policies = new Map([...namespaces].map((namespace) => [namespace, view.policiesIn(namespace)]));
  }

  /** Whether the policies of a pod's namespace differ. */
  differs(end: End, other: RuleTable): boolean {
    const [mine, theirs] = [
      this.policies.get(namespaceOfEnd(end)) ?? [],
      other.policies.get(namespaceOfEnd(end)) ?? [],
    ];
    return mine.length !== theirs.length || mine.some((policy, i) => policy !== theirs[i]);
  }

  /** The rules that may allow a pod's traffic; undefined if no policy isolates it. */
  isolating({ pod }: End): readonly PreparedRule[] | undefined {
    if (!pod || onHostNetwork(pod)) return undefined;
    const policies = isolatingPolicies(pod, this.direction, this.#view);
    return policies.length === 0 ? undefined : policies.flatMap((policy) => this.#rulesOf(policy));
  }

  #rulesOf(policy: Policy): readonly PreparedRule[] {
    const known = this.prepared.get(policy);
    if (known) return known;
    const made = rulesOf(policy, this.direction).map((rule) => this.#prepare(rule, policy));
    this.prepared.set(policy, made);
    return made;
  }

  #prepare(rule: PolicyRule, policy: Policy): PreparedRule {
    const flows = this.ends.map((end) => this.#flow(end, end));
    const peers = flows.map((flow) => matchesPeers(rule, policy, this.direction, flow, this.#view));
    return { peers: flagsOf(peers), ports: flagsOf(flows.map((flow) => matchesPorts(rule, flow))) };
  }

  #flow(from: End, to: End): Flow {
    const { port, protocol } = this.#port;
    return { from, to, protocol, port: typeof port === 'number' ? port : (namedPort(to, port, protocol) ?? 0) };
  }
}

const namespaceOfEnd = ({ pod }: End): string => (pod ? namespaceOf(pod) : '');

const flagsOf = (values: readonly boolean[]): Uint8Array => Uint8Array.from(values, Number);

function namedPort({ pod }: End, name: string, protocol: Protocol): number | undefined {
  const ports = (pod?.spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  return ports.find((each) => each.name === name && (each.protocol ?? 'TCP') === protocol)?.containerPort;
}

/** A pair of pods whose reachability changes. */
export interface Change {
  readonly from: objects.Pod;
  readonly to: objects.Pod;
  readonly opens: boolean;
}

/** The changes of reachability between two matrices; pods in only one of them are skipped. */
export function changesBetween(before: Matrix, after: Matrix): Change[] {
  const positions = new Map(before.pods.map((pod, i) => [keyOf(pod), i]));
  const pairs = after.pods.flatMap((pod, i) => {
    const old = positions.get(keyOf(pod));
    return old === undefined ? [] : [{ pod, now: i, old }];
  });
  return pairs.flatMap((from) =>
    pairs.flatMap((to) => {
      const opens = after.allows(from.now, to.now);
      return opens === before.allows(from.old, to.old) ? [] : [{ from: from.pod, to: to.pod, opens }];
    }),
  );
}
