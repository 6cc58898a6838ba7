import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { lines } from './lines.ts';
import { runOurs, type Ended } from './ours.ts';
import { clusterOptions, fill, masked } from './world.ts';

const recorded = JSON.parse(readFileSync('test/cli/recorded.json', 'utf8')) as Readonly<Record<string, Ended>>;

describe('a command line prints what the reference’s client prints', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await createCluster(clusterOptions);
    await fill(cluster);
  }, 120_000);
  afterAll(() => cluster.stop());

  test.each(lines)('%s', async (line) => {
    const { out, err, code } = await runOurs(cluster, line);
    expect({ out: masked(out), err: masked(err), code }).toEqual(recorded[line]);
  });
});
