/** A transport with credentials from a plugin. They are cached until they expire or the server refuses them. */
import type { Clock } from '../../std/index.ts';
import type { Names } from '../../names/index.ts';
import type { Transport } from '../types.ts';
import { readExecCredential, type CertificatePair, type ExecCredential } from './execCredential.ts';

/** The cluster information for plugins that request it. */
export interface ExecCluster {
  readonly server: string;
  readonly 'certificate-authority-data'?: string;
  readonly config?: unknown;
}

export interface ExecOptions {
  readonly names: Names;
  readonly clock: Clock;
  /** Runs the plugin; returns its standard output. Standard input is passed on only in an interactive session. */
  readonly run: (input: {
    readonly env: Readonly<Record<string, string>>;
    readonly interactive: boolean;
  }) => Promise<string>;
  readonly interactive?: boolean;
  /** Passed to the plugin if it is configured to receive cluster information. */
  readonly cluster?: ExecCluster;
  /** Connects to the server with this certificate or without one; called again whenever the certificate changes. */
  readonly connect: (pair: CertificatePair | undefined) => Transport;
}

export function execTransport(options: ExecOptions): Transport {
  const source = new ExecSource(options);
  return async (path, init = {}) => {
    const { credential, transport } = await source.current();
    const headers = new Headers(init.headers);
    // A request with its own credential keeps it.
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

  /** The current credential; concurrent callers share one run of the plugin. */
  async current(): Promise<Ready> {
    if (this.#ready && !this.#hasExpired(this.#ready.credential)) return this.#ready;
    this.#running ??= this.#refresh().finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** Drops a refused credential, unless a newer one has replaced it. */
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

  /** A new certificate requires a new handshake; the same one keeps its connection. */
  #connect(pair: CertificatePair | undefined): Transport {
    const known = this.#connected;
    if (known && known.pair?.certificate === pair?.certificate && known.pair?.key === pair?.key) return known.transport;
    const transport = this.#options.connect(pair);
    this.#connected = { pair, transport };
    return transport;
  }
}
