import { afterEach, expect, test } from 'vitest';
import { Client } from '../../src/client/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { pathOfLink } from '../../src/ui/panels/browse/links.ts';
import { createLogFeed, type LogFeed } from '../../src/ui/panels/logs/feed.ts';
import type { LogSource } from '../../src/ui/panels/logs/sources.ts';

interface Asked {
  readonly url: URL;
  readonly signal: AbortSignal | null | undefined;
  write(text: string): void;
  end(): void;
  fail(): void;
}

const feeds: LogFeed[] = [];
afterEach(() => feeds.splice(0).forEach((feed) => feed.stop()));

/** A feed of a server whose answers the test writes. */
function feedOf(status = 200): { feed: LogFeed; asked: Asked[] } {
  const asked: Asked[] = [];
  const transport = async (path: string, init?: RequestInit): Promise<Response> => {
    let body!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({ start: (controller) => void (body = controller) });
    init?.signal?.addEventListener('abort', () => body.error(new Error('aborted')));
    asked.push({
      url: new URL(path, 'http://vitrine.invalid'),
      signal: init?.signal,
      write: (text) => body.enqueue(new TextEncoder().encode(text)),
      end: () => body.close(),
      fail: () => body.error(new TypeError('the tab was closed')),
    });
    const refusal = { kind: 'Status', message: 'container "c" is waiting to start', code: status };
    return status === 200 ? new Response(stream) : Response.json(refusal, { status });
  };
  const feed = createLogFeed(new Client({ transport, names: namesOf('k8s.io') }));
  feeds.push(feed);
  return { feed, asked };
}

const source = (key: string): LogSource => ({ key, namespace: 'n', pod: 'p', container: key });

/** Resolves when the feed's state holds. */
function until({ store }: LogFeed, holds: (state: ReturnType<LogFeed['store']['getState']>) => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (holds(store.getState())) return resolve();
    const stop = store.subscribe((state) => {
      if (!holds(state)) return;
      stop();
      resolve();
    });
  });
}

const texts = ({ store }: LogFeed): string[] => store.getState().lines.map(({ text }) => text);

test('each source is read once, and lines come as they are written, wherever a chunk is cut', async () => {
  const { feed, asked } = feedOf();
  feed.follow([source('a')], false);
  feed.follow([source('a')], false);
  expect(
    asked.map(({ url }) => [url.pathname, url.searchParams.get('follow'), url.searchParams.get('container')]),
  ).toEqual([['/api/v1/namespaces/n/pods/p/log', 'true', 'a']]);
  await Promise.resolve();
  asked[0]?.write('2026-01-01T00:00:01.000000000Z one\n2026-01-01T00:00:02.0000');
  asked[0]?.write('00000Z tw');
  asked[0]?.write('o\nlast');
  await until(feed, ({ lines }) => lines.length === 2);
  expect(texts(feed)).toEqual(['one', 'two']);
  asked[0]?.end();
  await until(feed, ({ open }) => open === 0);
  expect(texts(feed)).toContain('last');
});

test('what is no longer wanted is not read on, and its lines stay', async () => {
  const { feed, asked } = feedOf();
  feed.follow([source('a'), source('b')], false);
  asked[0]?.write('2026-01-01T00:00:01Z kept\n');
  await until(feed, ({ lines }) => lines.length === 1);
  feed.follow([source('b')], false);
  await until(feed, ({ open }) => open === 1);
  expect([asked[0]?.signal?.aborted, asked[1]?.signal?.aborted, texts(feed)]).toEqual([true, false, ['kept']]);
  expect(feed.store.getState().problems.size).toBe(0);
  feed.stop();
  expect(asked[1]?.signal?.aborted).toBe(true);
});

test('a log that breaks off or is refused is a problem of its source', async () => {
  const broken = feedOf();
  broken.feed.follow([source('a')], false);
  broken.asked[0]?.fail();
  await until(broken.feed, ({ problems }) => problems.get('a') === 'the tab was closed');
  const refused = feedOf(400);
  refused.feed.follow([source('a')], true);
  await until(refused.feed, ({ problems }) => problems.get('a') === 'container "c" is waiting to start');
  expect([
    refused.asked[0]?.url.searchParams.get('previous'),
    refused.asked[0]?.url.searchParams.get('follow'),
  ]).toEqual(['true', null]);
});

test('a line that never ends is cut, not kept for ever', async () => {
  const { feed, asked } = feedOf();
  feed.follow([source('a')], false);
  asked[0]?.write('x'.repeat(20_000));
  await until(feed, ({ lines }) => lines.length > 0);
  expect(texts(feed)[0]?.length).toBeLessThan(9_000);
});

test.each([
  ['/other', '/a/b', '/other'],
  ['c?x=1', '/a/b', '/a/c?x=1'],
  ['/proxy/in/side', '/', '/in/side'],
  ['#part', '/a', '/a'],
  ['https://elsewhere.example/', '/', undefined],
  ['//elsewhere.example/', '/', undefined],
  ['javascript:alert(1)', '/', undefined],
  ['http://[', '/', undefined],
])('the link %s on %s leads to %s', (href, path, to) => {
  expect(pathOfLink(href, path, '/proxy')).toBe(to);
});
