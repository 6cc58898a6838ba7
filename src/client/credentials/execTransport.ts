/** A transport whose credentials come from a plugin: kept until they expire, until the server refuses them, or for good. */
import type { Clock } from '../../std/index.ts';
import type { Names } from '../../names/index.ts';
import type { Transport } from '../types.ts';
import { readExecCredential, type CertificatePair, type ExecCredential } from './execCredential.ts';

/** The cluster as a plugin is told of it, where it asks for that. */
export interface ExecCluster {
  readonly server: string;
  readonly 'certificate-authority-data'?: string;
  readonly config?: unknown;
}

export interface ExecOptions {
  readonly names: Names;
  readonly clock: Clock;
  /** Runs the plugin; gives its standard output. Standard input is its own only when somebody sits there. */
  readonly run: (input: {
    readonly env: Readonly<Record<string, string>>;
    readonly interactive: boolean;
  }) => Promise<string>;
  readonly interactive?: boolean;
  /** Handed to the plugin when it is configured to get cluster information. */
  readonly cluster?: ExecCluster;
  /** Opens a way to the server that proves this certificate, or none; called again whenever the certificate changes. */
  readonly connect: (pair: CertificatePair | undefined) => Transport;
}

export function execTransport(options: ExecOptions): Transport {
  const source = new ExecSource(options);
  return async (path, init = {}) => {
    const { credential, transport } = await source.current();
    const headers = new Headers(init.headers);
    // A request that brings a credential of its own keeps it.
    if (credential.token !== undefined && !headers.has('authorization'))
      headers.set('authorization', `Bearer ${credential.token}`);
    const response = await transport(path, { ...init, headers });
    if (response.status === 401) source.forget(credential);
    return response;
  };
}

interface Ready {
  readonly credential: ExecCredential;
  readonly transport: Transport;
}

class ExecSource {
  readonly #options: ExecOptions;
  #ready: Ready | undefined;
  #running: Promise<Ready> | undefined;
  #connected: { readonly pair: CertificatePair | undefined; readonly transport: Transport } | undefined;

  constructor(options: ExecOptions) {
    this.#options = options;
  }

  /** The credential in force; the plugin runs once for all who wait for it. */
  async current(): Promise<Ready> {
    if (this.#ready && !this.#hasExpired(this.#ready.credential)) return this.#ready;
    this.#running ??= this.#refresh().finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** Drops a credential that was refused, unless a newer one has taken its place already. */
  forget(credential: ExecCredential): void {
    if (this.#ready?.credential === credential) this.#ready = undefined;
  }

  #hasExpired({ expires }: ExecCredential): boolean {
    return expires !== undefined && this.#options.clock.now() > expires;
  }

  async #refresh(): Promise<Ready> {
    const { names, run, interactive = false, cluster } = this.#options;
    const apiVersion = names.fill('client.authentication.{domain}/v1beta1');
    const info = { kind: 'ExecCredential', apiVersion, spec: cluster ? { cluster } : {} };
    const env = cluster ? { [names.fill('{env}EXEC_INFO')]: JSON.stringify(info) } : {};
    const credential = readExecCredential(await run({ env, interactive }), apiVersion);
    this.#ready = { credential, transport: this.#connect(credential.pair) };
    return this.#ready;
  }

  /** A new certificate means a new handshake; the same one keeps its connection. */
  #connect(pair: CertificatePair | undefined): Transport {
    const known = this.#connected;
    if (known && known.pair?.certificate === pair?.certificate && known.pair?.key === pair?.key) return known.transport;
    const transport = this.#options.connect(pair);
    this.#connected = { pair, transport };
    return transport;
  }
}
