/** The package's API. These declarations are the package's types, so they stand alone. */

/** How a cluster is made. */
export interface Options {
  /** `k8s.io` unless told: the names that manifests and clients of the field use. */
  readonly naming?: 'k8s.io' | 'cluster.io';
  /** Flags of the three components, as `--flag=value`; paths are names in `files`. */
  readonly apiserver?: readonly string[];
  readonly controllerManager?: readonly string[];
  readonly scheduler?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** How many simulated nodes there are; none unless told. */
  readonly nodes?: number;
  /** `real`, a factor such as `10`, or `manual`: then only `clock.step` lets time pass. */
  readonly clock?: 'real' | 'manual' | number;
  /** The same seed and requests give the same uids and names. */
  readonly seed?: string | number;
}

/** A cluster's time. */
export interface TestClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Moves the clock by this many milliseconds and waits for the effects. */
  step(ms: number): Promise<void>;
}

/** A control plane in this process. */
export interface TestCluster {
  /** The whole API, as an administrator: `cluster.fetch('/api/v1/namespaces')`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The API by the credentials that a request carries, as over a network. */
  request(request: Request): Promise<Response>;
  readonly clock: TestClock;
  /** Brings all objects back to how they were when the cluster was made: for between two tests. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

/** Where a cluster is listened to. */
export interface ListenOptions {
  /** A free one unless told. */
  readonly port?: number;
  /** HTTPS, by a certificate of the cluster's own authority; so it is unless told. Clients send credentials over nothing else. */
  readonly tls?: boolean;
}

/** A control plane at a port of the loopback interface. */
export interface Listening extends TestCluster {
  readonly url: string;
  /** An administrator's bearer token. */
  readonly token: string;
  /** PEM of the authority to trust, where it speaks TLS. */
  readonly authority: string | undefined;
  /** A kubeconfig with all of that, for `kubectl --kubeconfig` and `KubeConfig.loadFromString`. */
  readonly kubeconfig: string;
}

export type CreateCluster = (options?: Options) => Promise<TestCluster>;
export type Listen = (options?: Options & ListenOptions) => Promise<Listening>;
