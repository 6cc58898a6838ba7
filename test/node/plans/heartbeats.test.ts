/** Reports of one moment are written together, in order; one that can't be is patched by its agent, and the others go on. */
import { describe, expect, test } from 'vitest';
import type { Node } from '../../../src/client/index.ts';
import { Reports, type Report } from '../../../src/node/beats.ts';

const named = (name: string): Node => ({ metadata: { name } }) as Node;
const report = (name: string): Report => ({ node: named(name), conditions: [] });
const nameOf = ({ node }: Report): string => node.metadata.name;

/** Reports nodes by name to a server that takes those before the first one that it refuses. */
async function sent(names: readonly string[], refused: readonly string[]) {
  const calls: string[][] = [];
  const reports = new Reports((all) => {
    calls.push(all.map(nameOf));
    const end = all.findIndex((one) => refused.includes(nameOf(one)));
    return Promise.resolve((end < 0 ? all : all.slice(0, end)).map(({ node }) => node));
  });
  const answers = await Promise.all(names.map((name) => reports.add(report(name))));
  return { calls, answers: answers.map((node) => node?.metadata.name) };
}

describe('reports of nodes', () => {
  test('that come in one turn are sent together, twelve at a time', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `n${i}`);
    const { calls, answers } = await sent(names, []);
    expect(answers).toEqual(names);
    expect(calls.map(({ length }) => length)).toEqual([12, 12, 6]);
  });

  test('are sent on after one whose agent has to send a patch', async () => {
    const { calls, answers } = await sent(['a', 'b', 'c', 'd'], ['a', 'c']);
    expect(answers).toEqual([undefined, 'b', undefined, 'd']);
    expect(calls).toEqual([['a', 'b', 'c', 'd'], ['b', 'c', 'd'], ['d']]);
  });

  test.each<[what: string, answer: () => Promise<undefined>]>([
    ['takes none', () => Promise.resolve(undefined)],
    ['fails', () => Promise.reject(new Error('away'))],
  ])('are all patched where the server %s, and the next ones are sent again', async (_, answer) => {
    let calls = 0;
    const reports = new Reports(() => (calls++, answer()));
    const two = (): Promise<unknown> => Promise.all(['a', 'b'].map((name) => reports.add(report(name))));
    expect(await two()).toEqual([undefined, undefined]);
    expect(await two()).toEqual([undefined, undefined]);
    expect(calls).toBe(2);
  });
});
