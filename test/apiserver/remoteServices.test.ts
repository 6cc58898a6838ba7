/** Checks of API services that other servers answer for. */
import { describe, expect, test, vi } from 'vitest';
import { discoveryProblem, wholeLines } from '../../src/apiserver/extensions/aggregation.ts';
import type { RemoteFetch } from '../../src/authn/index.ts';
import type { objects } from '../../src/schema/index.ts';
import { manualClock } from '../../src/std/index.ts';

const service: objects.APIService = {
  metadata: { name: 'v1.remote.example.com', creationTimestamp: null },
  spec: {
    ...{ group: 'remote.example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 },
    ...{ insecureSkipTLSVerify: true, service: { namespace: 'default', name: 'remote' } },
  },
  status: {},
};
const URL = 'https://remote.default.svc:443/apis/remote.example.com/v1';
const late = `failing or missing response from ${URL}: context deadline exceeded`;
const silent: RemoteFetch = () => new Promise(() => undefined);

test('a check of a server that never answers ends after five seconds', async () => {
  const clock = manualClock();
  const problem = discoveryProblem(service, silent, clock, new AbortController().signal);
  await clock.step(5_000);
  expect(await problem).toBe(late);
});

test('a check of a server that never answers ends when the cluster stops', async () => {
  const closing = new AbortController();
  const ended = vi.fn();
  const problem = discoveryProblem(
    service,
    (request) => {
      request.signal.addEventListener('abort', ended);
      return silent(request);
    },
    manualClock(),
    closing.signal,
  );
  closing.abort();
  expect(await problem).toBe(late);
  expect(ended).toHaveBeenCalledOnce();
});

describe('a watch as messages', () => {
  async function messages(parts: readonly string[]): Promise<string[]> {
    const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
        controller.close();
      },
    });
    const found: string[] = [];
    for await (const each of source.pipeThrough(wholeLines())) found.push(new TextDecoder().decode(each));
    return found;
  }

  test.each([
    ['each line', ['a\nb\n'], ['a\n', 'b\n']],
    ['a line in parts', ['a', 'b', 'c\nd', '\n'], ['abc\n', 'd\n']],
    ['the rest at the end', ['a\nb'], ['a\n', 'b']],
    ['what lies between empty parts', ['', 'a\n', ''], ['a\n']],
  ])('%s is one', async (_, parts, expected) => {
    expect(await messages(parts)).toEqual(expected);
  });

  test('ends with an error if a line has no end', async () => {
    await expect(messages(Array.from({ length: 17 }, () => 'x'.repeat(1024 * 1024)))).rejects.toThrow('too long');
  });
});
