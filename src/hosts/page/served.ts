/** The cluster that the page's own server serves (`npm run serve -- --page`), over one WebSocket instead of the port to a worker. */
import type { ClusterOptions } from '../../cluster/index.ts';
import { SERVED_PATH, type ServedCluster } from '../served/messages.ts';
import type { BridgeControl, BridgeState, RunningCluster } from './cluster.ts';
import type { Connection } from './connection.ts';
import { Line, type Keys, type LineState } from './line.ts';
import { kubeconfigFor } from './servedKubeconfig.ts';

/** What makes a cluster of a connection (running.ts); handed in, so that the page's first files stay as they are. */
type Running = (options: ClusterOptions, connection: Connection) => RunningCluster;

/** A served cluster, and its connection. */
export interface OpenedServed {
  readonly cluster: RunningCluster;
  readonly connection: Connection;
}

/** Opens the served cluster with a key of its server. Throws BootError where the server is away, or has another key. */
export async function openServed(keys: Keys, runningCluster: Running): Promise<OpenedServed> {
  const url = new URL(SERVED_PATH, document.baseURI);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const line = new Line(url, keys);
  const { options, api, keptIn } = await line.connect();
  const connection: Connection = { send: (call) => line.send(call), leave: () => line.leave(), left: line.left };
  const cluster = runningCluster(options, connection);
  const { past, storage, clock } = cluster;
  let at = api;
  line.follow((state) => {
    if (state.is === 'open') at = state.served.api;
  });
  const served = {
    ...{ keptIn, follow: (listener: (state: LineState) => void) => line.follow(listener) },
    // A server that was started again may be at another port.
    get url() {
      return at.url;
    },
  };
  const { restore: _, ...kept } = storage;
  return {
    connection,
    cluster: {
      ...cluster,
      served,
      clock: keptIn === 'etcd' ? { state: clock.state, follow: clock.follow, ...standing } : clock,
      storage: kept,
      past: { next: past.next, open: async (revision) => ({ ...(await past.open(revision)), served }) },
      bridge: () => Promise.resolve(apiOver(options.name, () => at, line)),
    },
  };
}

const refuse = (): Promise<never> => Promise.reject(new Error('servers that share an etcd go by the machine’s time'));
const standing = { pause: refuse, resume: refuse, scale: refuse, step: refuse, stopStep: refuse };

type Api = ServedCluster['api'];

/** Other clients reach the server for as long as it runs; what is left to give them is a kubeconfig. */
const apiOver = (name: string, api: () => Api, line: Line): BridgeControl => ({
  find: () => Promise.resolve(true),
  follow: (listener) => line.follow((state) => listener(bridgeState(state))),
  open: () => undefined,
  close: () => undefined,
  kubeconfig: () => kubeconfigFor(name, api(), (call) => line.send(call)),
});

const bridgeState = (state: LineState): BridgeState =>
  state.is === 'open' ? { is: 'open', url: state.served.api.url } : { is: 'waiting', why: state.why };
