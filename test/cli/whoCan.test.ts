import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import type { Runner } from './family.ts';
import { ourRunner } from './ours.ts';
import { clusterOptions } from './world.ts';

let cluster: Cluster;
let run: Runner;

beforeAll(async () => {
  cluster = await createCluster(clusterOptions());
  run = ourRunner(cluster);
  for (const line of [
    'create namespace shop',
    'create role reader -n shop --verb=get,list --resource=pods',
    'create role log-reader -n shop --verb=get --resource=pods/log',
    'create role one -n shop --verb=get --resource=pods --resource-name=web',
    'create clusterrole everywhere --verb=watch --resource=pods,nodes',
    'create rolebinding jane-reads -n shop --role=reader --user=jane --group=dev',
    'create rolebinding bob-logs -n shop --role=log-reader --serviceaccount=shop:bob',
    'create rolebinding ann-one -n shop --role=one --user=ann',
    'create rolebinding lee-here -n shop --clusterrole=everywhere --user=lee',
    'create clusterrolebinding max-everywhere --clusterrole=everywhere --user=max',
  ])
    expect(await run(line, '')).toMatchObject({ code: 0 });
}, 60_000);
afterAll(() => cluster.stop());

/** Who is not of the system. */
async function people(words: string): Promise<readonly string[]> {
  const { out } = await run(`auth who-can ${words}`, '');
  return out
    .split('\n')
    .slice(1)
    .filter((line) => line !== '' && !/system:|controller|admin/.test(line))
    .map((line) => line.split(/\s{2,}/).join(' '));
}

test.each([
  ['list pods -n shop', ['User jane shop/jane-reads Role/reader', 'Group dev shop/jane-reads Role/reader']],
  ['list pods', []],
  ['get pods/web -n shop', ['User ann', 'Group dev', 'User jane']],
  ['get pods/other -n shop', ['Group dev', 'User jane']],
  ['get pods --subresource=log -n shop', ['ServiceAccount bob shop shop/bob-logs Role/log-reader']],
  [
    'watch pods -n shop',
    ['User lee shop/lee-here ClusterRole/everywhere', 'User max max-everywhere ClusterRole/everywhere'],
  ],
  ['watch pods -A', ['User max max-everywhere ClusterRole/everywhere']],
  ['watch nodes -A', ['User max max-everywhere ClusterRole/everywhere']],
])('auth who-can %s', async (words, expected) => {
  const found = await people(words);
  expect(found).toHaveLength(expected.length);
  for (const start of expected) expect(found.some((line) => line.startsWith(start))).toBe(true);
});

test.each(['auth who-can', 'auth who-can get', 'auth who-can get pods web'])('%s is refused', async (line) => {
  expect(await run(line, '')).toMatchObject({ code: 1, err: expect.stringContaining('you must specify') as string });
});
