import type { Cluster } from '../../../src/cluster/index.ts';
import { headers, pod, referenceOptions } from '../objects.ts';
import { onCluster } from '../node/onCluster.ts';
import { concurrently } from '../row.ts';
import { spend, type Spent } from './spend.ts';

const pods = 'http://bench.local/api/v1/namespaces/default/pods';

/** What it takes to bring so many pods, created 32 at a time, from creation to Running. */
export function podsToRunning(count: number, nodes: number): Promise<Spent> {
  return onCluster(
    (cluster) =>
      spend(async () => {
        const running = whenRunning(cluster, count);
        await concurrently(count, 32, (i) => createPod(cluster, `p${i}`));
        await running;
      }),
    { ...referenceOptions, nodes },
  );
}

async function createPod(cluster: Cluster, name: string): Promise<void> {
  const response = await cluster.fetch(new Request(pods, { method: 'POST', headers, body: pod(name) }));
  if (response.status !== 201) throw new Error(`create: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

/** Resolves when so many pods are Running, as a watch tells it. */
export async function whenRunning(cluster: Cluster, count: number): Promise<void> {
  const url = `${pods}?watch=1&fieldSelector=status.phase%3DRunning`;
  const response = await cluster.fetch(new Request(url, { headers }));
  if (!response.body) throw new Error('a watch without a body');
  const seen = new Set<string>();
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) seen.add(/"name":"([^"]*)"/.exec(line)?.[1] ?? '');
    if (seen.size >= count) return;
  }
}
