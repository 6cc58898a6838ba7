/** The preview of a deletion against what is really gone afterwards: graphs of many kinds, under every policy. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { previewDeletion, World, type KnownObject, type Propagation } from '../../src/explain/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { Bench } from '../controllers/bench.ts';
import {
  defineKinds,
  drawnGraphs,
  makeGraph,
  objectsOf,
  pathOf,
  removeGraph,
  scopeOf,
  type DrawnGraph,
} from './randomOwners.ts';

let bench: Bench;
let count = 0;

beforeAll(async () => {
  bench = await Bench.start();
  await defineKinds(bench);
});
afterAll(() => bench.stop());

/** `Pod a/b`, or `Pod a/b waits` for one that is being deleted. */
const nameOf = ({ kind, metadata: { namespace = '', name = '' } }: KnownObject, waits: boolean): string =>
  `${kind} ${namespace === '' ? name : `${namespace}/${name}`}${waits ? ' waits' : ''}`;

/** What is left of the objects that were there before; what controllers make anew is not among it. */
async function leftOf(tag: string, before: readonly KnownObject[]): Promise<readonly string[]> {
  const known = new Set(before.map(({ metadata }) => metadata.uid));
  return (await objectsOf(bench, tag))
    .filter(({ metadata }) => known.has(metadata.uid))
    .map((object) => nameOf(object, object.metadata.deletionTimestamp !== undefined))
    .sort();
}

/** Waits until what was expected is so, and then whether it lasts: nothing else may go later. */
async function rest(tag: string, before: readonly KnownObject[], expected: readonly string[]): Promise<unknown> {
  for (let i = 0; i < 60 && (await leftOf(tag, before)).join() !== expected.join(); i++) await bench.advance(1000, 250);
  await bench.advance(2000, 500);
  return leftOf(tag, before);
}

async function holds(graph: DrawnGraph, policy: Propagation): Promise<void> {
  const tag = `g${(count += 1)}`;
  await makeGraph(bench, tag, graph);
  const before = await objectsOf(bench, tag);
  const world = new World(before, namesOf('cluster.io'), scopeOf);
  const target = before[graph.target % before.length] as KnownObject;
  const { goes, waits } = previewDeletion([target], policy, world);
  const gone = new Set(goes);
  const waiting = new Set(waits);
  const isLeaving = (object: KnownObject): boolean =>
    waiting.has(object) || object.metadata.deletionTimestamp !== undefined;
  const expected = before
    .filter((object) => !gone.has(object))
    .map((object) => nameOf(object, isLeaving(object)))
    .sort();
  await bench.delete(pathOf(target), { propagationPolicy: policy });
  expect(await rest(tag, before, expected), `after ${nameOf(target, false)}`).toEqual(expected);
  await removeGraph(bench, tag);
}

describe('the preview of a deletion, over graphs of many kinds', () => {
  test.each<Propagation>(['Background', 'Foreground', 'Orphan'])(
    'tells what is gone afterwards: %s',
    { timeout: 240_000 },
    async (policy) => {
      await fc.assert(
        fc.asyncProperty(drawnGraphs, (graph) => holds(graph, policy)),
        { seed: 1414, numRuns: 30 },
      );
    },
  );
});
