import type { Clock, Timer } from '../../std/index.ts';
import type { FlowEnd, FlowEvent, Tracer, Untimed } from '../../trace/index.ts';
import { senderOf } from '../packet/trace.ts';
import type { PacketTrace } from '../packet/types.ts';
import type { End, SideVerdict } from '../policy/judge.ts';
import { keyOf, type NetworkView } from '../view.ts';

type Flow = Untimed<FlowEvent>;

/** Above this rate, similar connections are combined into one event with a count. */
const MOST_PER_SECOND = 200;
const WINDOW_MS = 1000;

export interface FlowReporterOptions {
  readonly tracer: Tracer;
  readonly clock: Clock;
  readonly view: NetworkView;
}

/** Emits a `flow` event for each connection and each first datagram, if anything listens. */
export class FlowReporter {
  readonly #options: FlowReporterOptions;
  readonly #pending = new Map<string, { readonly flow: Flow; count: number }>();
  #windowEnd = 0;
  #emitted = 0;
  #timer: Timer | undefined;

  constructor(options: FlowReporterOptions) {
    this.#options = options;
  }

  report(trace: PacketTrace): void {
    const { tracer, view } = this.#options;
    if (!tracer.wants('flow')) return;
    this.#beginWindow();
    const flow = flowOf(trace, view);
    if (this.#emitted < MOST_PER_SECOND) this.#emit(flow, 1);
    else this.#gather(flow);
  }

  stop(): void {
    this.#options.clock.clearTimeout(this.#timer);
  }

  #beginWindow(): void {
    const now = this.#options.clock.now();
    if (now < this.#windowEnd) return;
    this.#windowEnd = now + WINDOW_MS;
    this.#emitted = 0;
  }

  #gather(flow: Flow): void {
    const key = JSON.stringify(flow);
    const known = this.#pending.get(key);
    if (known) known.count += 1;
    else this.#pending.set(key, { flow, count: 1 });
    const { clock } = this.#options;
    this.#timer ??= clock.setTimeout(() => this.#flush(), this.#windowEnd - clock.now(), {
      what: 'network: connections are counted',
    });
  }

  #flush(): void {
    this.#timer = undefined;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { flow, count } of pending) this.#emit(flow, count);
  }

  #emit(flow: Flow, count: number): void {
    this.#emitted += 1;
    this.#options.tracer.emit({ ...flow, count });
  }
}

/** The flow event of a packet. */
export function flowOf(trace: PacketTrace, view: NetworkView): Flow {
  const { question, outcome, reason, delivered } = trace;
  const last = trace.hops.at(-1);
  const policy = last?.kind === 'policy' && !last.verdict.allowed ? last : undefined;
  const receiver = delivered?.to ?? policy?.flow.to ?? (last?.kind === 'destination' ? last.end : undefined);
  const service = trace.hops.flatMap((hop) => (hop.kind === 'service' ? [keyOf(hop.route.service)] : []))[0];
  return {
    topic: 'flow',
    from: endOf(senderOf(question.from, view)),
    ...(receiver && { to: endOf(receiver) }),
    asked: question.to,
    port: question.port,
    protocol: question.protocol,
    ...(service !== undefined && { service }),
    outcome,
    ...(reason && { reason }),
    ...(policy && { denied: denialOf(policy.verdict) }),
    count: 1,
  };
}

const denialOf = ({ direction, isolating }: SideVerdict): NonNullable<FlowEvent['denied']> => ({
  direction,
  policies: isolating.map(keyOf),
});

const endOf = ({ address, pod, node }: End): FlowEnd => ({
  address,
  ...(pod && { pod: keyOf(pod) }),
  ...(node && { node: keyOf(node) }),
});
