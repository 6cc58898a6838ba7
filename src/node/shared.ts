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
import type { NetworkSettings } from '../network/index.ts';
import { Keeper, type KeptData } from './keeping/keeper.ts';
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

/** What the nodes of one cluster have in common once the first pod runs: a network, a processor, volumes, the list of services. */
export class Shared {
  readonly cpu: Cpu;
  readonly kept = new Map<string, Tree>();
  readonly keeper: Keeper;
  /** The network as the API server sees it. */
  readonly serverNetwork: Network;
  readonly #network: ClusterNetwork;
  readonly #services: Informer<Service>;
  readonly #driverSetup: DriverSetup;
  #drivers: SimulatedDrivers | undefined;
  #volumes: Informer<PersistentVolume> | undefined;

  constructor({ client, clock, random, tracer, network, keptData, onProblem }: SharedOptions) {
    this.keeper = new Keeper({ data: keptData, clock, onProblem });
    this.#driverSetup = { client: network.client, clock, random, onProblem };
    this.cpu = new Cpu(clock);
    this.#network = new ClusterNetwork({ ...network, clock, random, tracer, onProblem });
    this.serverNetwork = this.#network.dataplane.networkOf(network.apiServer.address);
    this.#services = new Informer({ resource: client.of(services), clock, random, onProblem });
    this.#services.start();
    if (this.keeper.keys(VOLUMES).length > 0) this.keepVolumes();
  }

  /** The network as a pod sees it from its address. */
  networkOf(address: string, pod: () => Pod): Network {
    return this.#network.dataplane.networkOf(address, pod);
  }

  get networkSettings(): NetworkSettings {
    return this.#network.settings;
  }

  async services(): Promise<readonly Service[]> {
    await this.#services.synced;
    return this.#services.list();
  }

  /** The simulated storage drivers work from now on: somebody waits for one. */
  startDrivers(): void {
    this.#drivers ??= new SimulatedDrivers(this.#driverSetup);
  }

  /** From now on the files of volumes go with their volumes. */
  keepVolumes(): void {
    if (this.#volumes) return;
    const { client, clock, random, onProblem } = this.#driverSetup;
    const volumes = new Informer({ resource: client.of(persistentVolumes), clock, random, onProblem });
    this.#volumes = volumes;
    volumes.on({ deleted: ({ metadata }) => this.#forgetVolume(keyOfVolume(metadata.name ?? '')) });
    volumes.start();
    inBackground(
      volumes.synced.then(() => {
        for (const key of this.keeper.keys(VOLUMES))
          if (!volumes.get(key.slice(VOLUMES.length))) this.#forgetVolume(key);
      }),
      onProblem,
    );
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

/** Where the nodes find what they share; the first that needs it makes it. */
export interface SharedSlot {
  readonly network: NetworkSetup;
  /** What outlives a reload; undefined where nothing does. */
  readonly keptData: KeptData | undefined;
  /** Makes what is installed besides the nodes, if it is missing; only the first call does. */
  readonly installAddons: () => void;
  current?: Shared;
}
