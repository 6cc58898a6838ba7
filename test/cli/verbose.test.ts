import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { ourRunner } from './ours.ts';
import { clusterOptions } from './world.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await createCluster({ ...clusterOptions(), nodes: 0 });
});
afterAll(() => cluster.stop());

/** The error stream without what differs from run to run. */
async function told(line: string): Promise<readonly string[]> {
  const { err } = await ourRunner(cluster)(line, '');
  const plain = err.replace(/^I\d{4} [\d:.]+ +\d+ /gm, '').replace(/\d+ milliseconds/g, 'N milliseconds');
  return plain.split('\n').filter((each) => each !== '');
}

describe('-v tells requests as the reference logs them', () => {
  test('a line for each at level 6', async () => {
    expect(await told('get --raw /healthz -v=6')).toEqual([
      'round_trippers.go:445] GET SERVER/healthz 200 OK in N milliseconds',
    ]);
  });

  test('headers at level 7', async () => {
    expect(await told('get --raw /healthz --as=jane -v=7')).toEqual([
      'round_trippers.go:422] GET SERVER/healthz',
      'round_trippers.go:429] Request Headers:',
      'round_trippers.go:433]     Accept: application/json, */*',
      'round_trippers.go:433]     Impersonate-User: jane',
      'round_trippers.go:433]     User-Agent: kubectl',
      'round_trippers.go:448] Response Status: 200 OK in N milliseconds',
    ]);
  });

  test('bodies at level 8, the command for curl at level 9', async () => {
    const eight = await told('get --raw /version -v=8');
    expect(eight.find((each) => each.includes('Response Body'))).toMatch(/^request.go:1107\] Response Body: \{/);
    const nine = await told('get --raw /version -v=9');
    expect(nine[0]).toBe(
      `round_trippers.go:425] curl -k -v -XGET  -H "Accept: application/json, */*" -H "User-Agent: kubectl" 'SERVER/version'`,
    );
  });

  test('nothing below level 6', async () => {
    expect(await told('get --raw /healthz -v=5')).toEqual([]);
  });
});
