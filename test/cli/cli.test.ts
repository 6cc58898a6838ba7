import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { lineOf, runStep, wordsOf, type Family, type Runner } from './family.ts';
import { families } from './lines/index.ts';
import { ourRunner } from './ours.ts';
import { readRecorded } from './recorded.ts';
import { clusterOptions, fill, maskedEnd } from './world.ts';

const readers = families.filter(({ writes, objects }) => !writes && objects === undefined);
const apart = families.filter(({ writes, objects }) => !writes && objects !== undefined);
const writers = families.filter(({ writes }) => writes);

async function filled(family?: Family): Promise<Cluster> {
  const cluster = await createCluster(clusterOptions(family));
  await fill(cluster, family?.objects);
  for (const step of family?.awaits ?? []) await runStep(step, ourRunner(cluster));
  return cluster;
}

describe.each(readers)('$name prints what the reference’s client prints', (family) => {
  const recorded = new Map(readRecorded(family.name).map((each) => [each.line, each]));

  test.each(family.steps.map((step) => ({ line: lineOf(step), step })))('$line', async ({ line, step }) => {
    const { out, err, code } = await runStep(step, ourRunner(await shared(), family));
    expect({ line, ...maskedEnd({ out, err, code }) }).toEqual(recorded.get(line));
  });
});

describe.each(apart)('$name prints what the reference’s client prints', (family) => {
  const recorded = new Map(readRecorded(family.name).map((each) => [each.line, each]));
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await filled(family);
  }, 120_000);
  afterAll(() => cluster.stop());

  test.each(family.steps.map((step) => ({ line: lineOf(step), step })))('$line', async ({ line, step }) => {
    expect({ line, ...maskedEnd(await runStep(step, ourRunner(cluster, family))) }).toEqual(recorded.get(line));
  });
});

describe.each(writers)('$name prints what the reference’s client prints, line after line', (family) => {
  const recorded = readRecorded(family.name);
  let cluster: Cluster;
  let run: Runner;
  beforeAll(async () => {
    cluster = await filled(family);
    run = ourRunner(cluster, family);
  }, 120_000);
  afterAll(() => cluster.stop());

  test.each(family.steps.map((step, at) => ({ line: lineOf(step), step, at })))(
    '$at $line',
    async ({ line, step, at }) => {
      expect({ line, ...maskedEnd(await runStep(step, run)) }).toEqual(recorded[at]);
    },
  );
});

let reading: Promise<Cluster> | undefined;

/** The cluster of all families that only read. */
const shared = (): Promise<Cluster> => (reading ??= filled());
afterAll(async () => (await reading)?.stop());

describe('a line is split into words', () => {
  test.each([
    ['get  pods', ['get', 'pods']],
    ["annotate pod web 'note=a b'", ['annotate', 'pod', 'web', 'note=a b']],
    [`x --from-literal="it's"`, ['x', "--from-literal=it's"]],
    ['patch -p {"a": {"b": 1}} x', ['patch', '-p', '{"a": {"b": 1}}', 'x']],
    ["-o jsonpath={range .items[*]}{'\\n'}{end}", ['-o', "jsonpath={range .items[*]}{'\\n'}{end}"]],
    ["x ''", ['x', '']],
  ])('%s', (line, words) => {
    expect(wordsOf(line)).toEqual(words);
  });
});
