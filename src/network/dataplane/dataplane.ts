/** The simulated network: carries bytes between programs as `tracePacket` decides. */
import type { Address, NameQuestion, Network } from '../../programs/index.ts';
import type { objects } from '../../schema/index.ts';
import type { Clock, Random } from '../../std/index.ts';
import type { Tracer } from '../../trace/index.ts';
import { recordsAt } from '../dns/lookup.ts';
import { DNS_PORT, isBuiltIn } from '../dns/nameServer.ts';
import type { DnsRecord } from '../dns/records.ts';
import { tracePacket } from '../packet/trace.ts';
import type { PacketQuestion, PacketTrace, Source, TraceOptions } from '../packet/types.ts';
import type { End, Protocol } from '../policy/judge.ts';
import { canonicalAddress, keyOf, onHostNetwork, type NetworkView } from '../view.ts';
import { statefulChooser } from './chooser.ts';
import { Datagrams } from './datagrams.ts';
import type { Fabric, PodOwner } from './fabric.ts';
import { FlowReporter } from './flowReporter.ts';
import { healthCheckAt } from './healthCheck.ts';
import { HostNetwork } from './hostNetwork.ts';
import { startIngressController } from './ingressController.ts';
import { fromPrograms } from './nameServer.ts';
import type { JudgeCertificate } from './open.ts';
import { startOutside } from './outside.ts';
import { Ports, type Acceptor } from './ports.ts';

export interface DataplaneOptions {
  readonly view: NetworkView;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  /** Resolves when the view has all objects; nothing is routed before. */
  readonly ready?: Promise<unknown>;
  /** Names of partitioned nodes; a live set. */
  readonly isolatedNodes?: ReadonlySet<string>;
  /** Verifies a server's certificate for a client; without it every certificate is valid. */
  readonly judge?: JudgeCertificate;
  /** The certificate in a secret, by `namespace/name`, for servers of the cluster's HTTPS. */
  readonly certificateIn?: (secret: string) => string | undefined;
}

const anyIsGood: JudgeCertificate = () => Promise.resolve(undefined);

/**
 * Everything with an address, and the listeners there. A routing decision holds for a connection's whole life: policies
 * applied later stop only new connections, as with network plugins that track connections.
 */
export class Dataplane implements Fabric {
  readonly view: NetworkView;
  readonly clock: Clock;
  readonly ready: Promise<unknown>;
  readonly judge: JudgeCertificate;
  readonly #datagrams: Datagrams;
  readonly #ports = new Map<string, Ports>();
  readonly #flows: FlowReporter;
  readonly #traceOptions: TraceOptions;

  constructor(options: DataplaneOptions) {
    const {
      view,
      clock,
      random,
      tracer,
      ready = Promise.resolve(),
      certificateIn = () => undefined,
      isolatedNodes,
      judge = anyIsGood,
    } = options;
    this.view = view;
    this.clock = clock;
    this.ready = ready;
    this.judge = judge;
    this.#flows = new FlowReporter({ tracer, clock, view });
    this.#datagrams = new Datagrams(this);
    const choose = statefulChooser(clock, random);
    this.#traceOptions = {
      choose,
      listens: (...at) => this.#listens(...at),
      answersAt: (end, name) => this.answerAt(end, { name, type: 'A', from: '' }),
      endsAtController: true,
      ...(isolatedNodes && { isolatedNodes }),
    };
    startOutside(view.settings, (address) => this.portsAt(address));
    const { ingressAddress } = view.settings;
    const [network, ports] = [this.networkOf(ingressAddress), this.portsAt(ingressAddress)];
    startIngressController({ view, choose, certificateIn, network, ports });
  }

  /**
   * The network as seen from a container. `owner` knows its pod; without one it is the node with that address, or
   * outside of the cluster. Containers with the same address share its ports.
   */
  networkOf(address: string, owner?: PodOwner): Network {
    return new HostNetwork(canonicalAddress(address), owner, this, this.#datagrams);
  }

  /** Servers outside of the cluster also listen here. */
  portsAt(address: string): Ports {
    const canonical = canonicalAddress(address);
    const known = this.#ports.get(canonical);
    if (known) return known;
    const made = new Ports();
    this.#ports.set(canonical, made);
    return made;
  }

  /** Nothing is at an address any more, nor listens there. */
  forget(address: string): void {
    this.#ports.delete(canonicalAddress(address));
  }

  send(question: PacketQuestion): PacketTrace {
    const trace = tracePacket(question, this.view, this.#traceOptions);
    this.#flows.report(trace);
    return trace;
  }

  answerAt(end: End, question: NameQuestion): readonly DnsRecord[] | undefined {
    const answer = this.#ports.get(end.address)?.nameServer(DNS_PORT);
    if (answer) return fromPrograms(answer(question));
    return isBuiltIn(end.address, this.view) ? recordsAt(end.address, question.name, this.view) : undefined;
  }

  acceptorAt({ address, port }: Address, protocol: string): Acceptor | undefined {
    const found = this.#ports.get(address)?.acceptor(protocol, port);
    if (found || protocol !== 'TCP') return found;
    const node = this.view.nodeAt(address);
    return node && healthCheckAt(node, port, this.view);
  }

  #listens({ address, pod, node }: End, port: number, protocol: Protocol): boolean | undefined {
    if (this.#ports.get(address)?.listens(protocol, port)) return true;
    if (node && !pod && protocol === 'TCP' && this.view.serviceAtHealthPort(port)) return true;
    return pod || node || this.#ports.has(address) ? false : undefined;
  }

  stop(): void {
    this.#flows.stop();
  }

  /** The newest version of the pod. It has its address here before its status contains it. */
  sourceAt(address: string, pod: objects.Pod | undefined): Source {
    if (pod) return { pod: withAddress(this.view.get('pods', keyOf(pod)) ?? pod, address) };
    const node = this.view.nodeAt(address);
    return node ? { node } : { outside: address };
  }
}

function withAddress(pod: objects.Pod, address: string): objects.Pod {
  if (onHostNetwork(pod) || pod.status?.podIP) return pod;
  return { ...pod, status: { ...pod.status, podIP: address } };
}
