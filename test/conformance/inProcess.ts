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
  const call: Lane['call'] = (path, init) => cluster.fetch(request(path, init));
  if (setting === 'compacted') await compactEarlyRevisions(cluster, call);
  return { call, close: () => cluster.stop().then(close) };
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
