import {
  Informer,
  persistentVolumes,
  services,
  type Client,
  type PersistentVolume,
  type Pod,
  type Service,
} from '../client/index.ts';
import { Cpu, type Network, type Tree } from '../programs/index.ts';
import { inBackground, type Clock, type Random } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import type { Names } from '../names/index.ts';
import type { NetworkSettings } from '../network/index.ts';
import { Keeper, type KeptData } from './keeping/keeper.ts';
import { LOGS, nodeOf } from './keeping/logs.ts';
import { forgetHostTree, hasHostTree } from './volumes/hostFiles.ts';
import { keyOfVolume, VOLUMES } from './volumes/podVolumes.ts';
import { SimulatedDrivers, type DriverSetup } from './volumes/drivers.ts';
import { ClusterNetwork, type NetworkSetup } from './network.ts';

export interface SharedOptions {
  /** May list services. */
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  readonly network: NetworkSetup;
  readonly keptData: KeptData | undefined;
  readonly onProblem: (problem: unknown) => void;
}

/** What all agents share, and what runs their pods. */
export interface ForAgents {
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  readonly names: Names;
  /** Decodes a user-written pod with the defaults of its version. Throws for wrong types. */
  readonly readPod: (raw: unknown) => Pod;
  /** Whether so many requests wait that those which others soon replace are not sent. */
  readonly isCrowded: () => boolean;
  /** What nodes share once pods run. */
  readonly shared: SharedSlot;
}

/** What an agent gives to what runs its pods. */
export interface Hosting extends ForAgents {
  /** Has the node's identity. */
  readonly client: Client;
  readonly onProblem: (pod: string | undefined, problem: unknown) => void;
}

/** What nodes share, made by the first one that needs it. */
export function sharedBy({ client, clock, random, tracer, shared, onProblem }: Hosting): Shared {
  shared.installAddons();
  return (shared.current ??= new Shared({
    ...{ client, clock, random, tracer },
    network: shared.network,
    keptData: shared.keptData,
    onProblem: (problem) => onProblem(undefined, problem),
  }));
}

/** What the nodes of a cluster share once the first pod runs: network, processor, volumes, the list of services. */
export class Shared {
  readonly cpu: Cpu;
  /** The current time, for files: they may outlive a node, so this holds nothing of one. */
  readonly now: () => number;
  readonly kept = new Map<string, Tree>();
  readonly keeper: Keeper;
  /** The network as seen from the API server. */
  readonly serverNetwork: Network;
  readonly #network: ClusterNetwork;
  readonly #services: Informer<Service>;
  /** The nodes of which logs were kept when the cluster was opened. */
  readonly #logged: ReadonlySet<string>;
  readonly #driverSetup: DriverSetup;
  #drivers: SimulatedDrivers | undefined;
  #volumes: Informer<PersistentVolume> | undefined;

  constructor({ client, clock, random, tracer, network, keptData, onProblem }: SharedOptions) {
    this.keeper = new Keeper({ data: keptData, clock, onProblem });
    this.#driverSetup = { client: network.client, clock, random, onProblem };
    this.cpu = new Cpu(clock);
    this.now = timeOf(clock);
    this.#network = new ClusterNetwork({ ...network, clock, random, tracer, onProblem });
    this.serverNetwork = this.#network.dataplane.networkOf(network.apiServer.address);
    this.#services = new Informer({ resource: client.of(services), clock, random, onProblem });
    this.#services.start();
    if (this.keeper.keys(VOLUMES).length > 0) this.keepVolumes();
    this.#logged = new Set(this.keeper.keys(LOGS).map(nodeOf));
  }

  /** Whether a node has files or logs of an earlier run of its agent. */
  hasLeft(node: string): boolean {
    return hasHostTree(this.kept, node) || this.#logged.has(node);
  }

  /** The network as seen from a pod's address. */
  networkOf(address: string, owner: { readonly pod: Pod }): Network {
    return this.#network.dataplane.networkOf(address, owner);
  }

  /** Pods of a node that stops do not come back at their addresses. */
  forgetAddresses(addresses: Iterable<string>): void {
    for (const address of addresses) this.#network.dataplane.forget(address);
  }

  get networkSettings(): NetworkSettings {
    return this.#network.settings;
  }

  async services(): Promise<readonly Service[]> {
    await this.#services.synced;
    return this.#services.list();
  }

  /** Starts the simulated storage drivers, when a pod waits for one. */
  startDrivers(): void {
    this.#drivers ??= new SimulatedDrivers(this.#driverSetup);
  }

  /** Deletes the files of deleted volumes from now on. */
  keepVolumes(): void {
    if (this.#volumes) return;
    const { client, clock, random, onProblem } = this.#driverSetup;
    const volumes = new Informer({ resource: client.of(persistentVolumes), clock, random, onProblem });
    this.#volumes = volumes;
    volumes.on({ deleted: ({ metadata }) => this.#forgetVolume(keyOfVolume(metadata.name)) });
    volumes.start();
    inBackground(
      volumes.synced.then(() => {
        for (const key of this.keeper.keys(VOLUMES))
          if (!volumes.get(key.slice(VOLUMES.length))) this.#forgetVolume(key);
      }),
      onProblem,
    );
  }

  /** A node was deleted. */
  forgetNode(name: string): void {
    forgetHostTree(this.kept, name, this.#driverSetup.client.names);
  }

  #forgetVolume(key: string): void {
    const tree = this.kept.get(key);
    if (tree) tree.device.onChange = undefined;
    this.kept.delete(key);
    this.keeper.forget([key]);
  }

  async stop(): Promise<void> {
    this.#volumes?.stop();
    this.#drivers?.stop();
    this.#services.stop();
    this.#network.stop();
    await this.keeper.stop();
  }
}

const timeOf = (clock: Clock) => (): number => clock.now();

/** Holds what the nodes share; the first node that needs it creates it. */
export interface SharedSlot {
  readonly network: NetworkSetup;
  /** Storage that survives a reload; undefined if there is none. */
  readonly keptData: KeptData | undefined;
  /** Installs missing addons; only the first call has an effect. */
  readonly installAddons: () => void;
  current?: Shared;
}
