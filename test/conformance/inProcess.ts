import type { Cluster } from '../../src/cluster/index.ts';
import { createCluster } from '../../src/cluster/index.ts';
import { serve } from '../../src/hosts/node/index.ts';
import type { Profile } from '../../src/names/index.ts';
import type { Lane } from './lanes.ts';
import type { Setting } from './scenarios.ts';
import { recordedOptions, tokens } from './scenarios.ts';
import { storages, type StorageName } from './storages.ts';

/** Longer than two compaction intervals, so that the first revisions are gone for certain. */
const compactionTime = 11 * 60_000;

/** Opens a lane whose control plane lives in this process. */
export async function openInProcess(naming: Profile, setting: Setting, storage: StorageName = 'memory'): Promise<Lane> {
  const { options, host, close } = await storages[storage](recordedOptions(naming, setting));
  const cluster = await createCluster(options, host);
  const call: Lane['call'] = async (path, init) => {
    await reactions(cluster);
    return cluster.fetch(request(path, init));
  };
  if (setting === 'compacted') await compactEarlyRevisions(cluster, call);
  return { call, close: () => cluster.stop().then(close) };
}

/** A component that was notified begins its own write within so many turns of the event loop. */
const QUIET_TURNS = 10;
/** Components that write without an end are not waited for. */
const MOST_TURNS = 500;

/**
 * Resolves when what followed from the last request is written. The recording's client was in another process, and its requests were
 * milliseconds apart: enough for a controller's write. Here the next request follows at once, while a disk takes as long as there.
 */
async function reactions({ storage }: Cluster): Promise<void> {
  for (let [turn, quiet] = [0, 0]; turn < MOST_TURNS && quiet < QUIET_TURNS; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    const writing = storage.writing();
    quiet = writing ? 0 : quiet + 1;
    await writing;
  }
}

/** Opens a lane whose control plane lives in this process and is asked over HTTP, as `npm run serve` answers. */
export async function openServed(naming: Profile, setting: Setting, storage: StorageName = 'memory'): Promise<Lane> {
  const { options, host, close } = await storages[storage](recordedOptions(naming, setting));
  const served = await serve({ cluster: options, host: '127.0.0.1', port: 0 }, host);
  const call: Lane['call'] = (path, init) => fetch(served.url + path, init);
  if (setting === 'compacted') await compactEarlyRevisions(served.cluster, call);
  return { call, close: () => served.close().then(close) };
}

/** A Request as it would arrive over the network: Node's own fetch names itself, a bare Request does not. */
function request(path: string, init: RequestInit = {}): Request {
  const headers = new Headers(init.headers);
  if (!headers.has('user-agent')) headers.set('user-agent', 'node');
  return new Request(`http://127.0.0.1${path}`, { ...init, headers });
}

async function compactEarlyRevisions(cluster: Cluster, call: Lane['call']): Promise<void> {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'early-' } });
  const headers = { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json' };
  for (let i = 0; i < 3; i++) {
    const answer = await call('/api/v1/namespaces/default/configmaps', { method: 'POST', headers, body });
    await answer.arrayBuffer();
  }
  await cluster.clock.step(compactionTime);
}
