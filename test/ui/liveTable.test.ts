import { afterEach, describe, expect, it, vi } from 'vitest';
import { Client } from '../../src/client/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { openTable, type LiveTable } from '../../src/ui/stores/liveTable.ts';

const table = (revision: string, ...names: string[]): object => ({
  kind: 'Table',
  metadata: { resourceVersion: revision },
  columnDefinitions: [{ name: 'Name', type: 'string', description: '', priority: 0 }],
  rows: names.map((name) => ({
    cells: [name],
    object: { metadata: { name, namespace: 'default', resourceVersion: revision, creationTimestamp: null } },
  })),
});

const refusal = { kind: 'Status', code: 403, reason: 'Forbidden', message: 'no', metadata: {} };

/** A server of one table: each list takes the next answer; a watch stays open and tells what it is told to. */
function fakeServer(lists: readonly object[], mayWatch: () => boolean) {
  const asked: string[] = [];
  const left = [...lists];
  let tell: (type: string, object: object) => void = () => undefined;
  const transport = (path: string): Promise<Response> => {
    asked.push(path);
    if (!path.includes('watch=true')) {
      const next = left.shift() ?? {};
      const status = 'code' in next ? Number(next.code) : 200;
      return Promise.resolve(Response.json(next, { status }));
    }
    if (!mayWatch()) return Promise.resolve(Response.json(refusal, { status: 403 }));
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        tell = (type, object) => controller.enqueue(new TextEncoder().encode(`${JSON.stringify({ type, object })}\n`));
      },
    });
    return Promise.resolve(new Response(body));
  };
  return {
    asked,
    tell: (type: string, object: object) => tell(type, object),
    client: new Client({ transport, names: namesOf('cluster.io') }),
  };
}

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

function open(lists: readonly object[], mayWatch = () => true) {
  const server = fakeServer(lists, mayWatch);
  const { store, stop } = openTable(server.client, { path: '/api/v1/pods' });
  stops.push(stop);
  const until = (holds: (table: LiveTable) => boolean): Promise<void> =>
    vi.waitFor(() => expect(holds(store.getState())).toBe(true));
  const names = (): string[] => store.getState().rows.map((row) => row.key);
  return { ...server, store, until, names };
}

describe('a live table', () => {
  it('lists, then watches from the list’s revision', async () => {
    const { asked, until, names } = open([table('7', 'b', 'a')]);
    await until(({ phase }) => phase === 'live');
    expect(names()).toEqual(['default/a', 'default/b']);
    await vi.waitFor(() => expect(asked[1]).toContain('resourceVersion=7'));
  });

  it('reads long lists in chunks', async () => {
    const first = { ...table('7', 'a'), metadata: { resourceVersion: '7', continue: 'next' } };
    const { asked, until, names } = open([first, table('7', 'b')]);
    await until(({ phase }) => phase === 'live');
    expect(names()).toEqual(['default/a', 'default/b']);
    expect(asked[1]).toContain('continue=next');
  });

  it('takes in what comes, in the server’s order, and shows what changed', async () => {
    const { tell, until, names, store, asked } = open([table('7', 'a', 'c')]);
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    tell('ADDED', table('8', 'b'));
    tell('MODIFIED', table('9', 'a'));
    await until(({ revision }) => revision === '9');
    expect(names()).toEqual(['default/a', 'default/b', 'default/c']);
    expect([...store.getState().changes].map(([key, { state }]) => [key, state])).toEqual([
      ['default/b', 'added'],
      ['default/a', 'changed'],
    ]);
  });

  it('lets a deleted row be seen to go, then takes it out', async () => {
    const { tell, until, names, store, asked } = open([table('7', 'a', 'b')]);
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    tell('DELETED', table('8', 'a'));
    await until(({ changes }) => changes.get('default/a')?.state === 'deleted');
    expect(names()).toContain('default/a');
    await vi.waitFor(() => expect(names()).toEqual(['default/b']), { timeout: 4000 });
    expect(store.getState().changes.has('default/a')).toBe(false);
  });

  it('lists anew when its revision is gone, and says that it did', async () => {
    const { tell, until, names, asked } = open([table('7', 'a'), table('20', 'z')]);
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    tell('ERROR', { kind: 'Status', code: 410, reason: 'Expired', metadata: {} });
    await until(({ relists, phase }) => relists === 1 && phase === 'live');
    await vi.waitFor(() => expect(names()).toEqual(['default/z']));
  });

  it('shows what may be listed but not watched, and reads it again, until it may be watched, too', async () => {
    const may = { watch: false };
    const { until, names, store } = open([table('7', 'a'), table('8', 'a', 'b'), table('9', 'c')], () => may.watch);
    const phases: string[] = [];
    store.subscribe(({ phase }) => phases.push(phase));
    await until(({ unwatched }) => unwatched);
    expect(names()).toEqual(['default/a']);
    await vi.waitFor(() => expect(names()).toEqual(['default/a', 'default/b']), { timeout: 6000 });
    expect(store.getState()).toMatchObject({ phase: 'refused', problem: refusal, unwatched: true });
    may.watch = true;
    await vi.waitFor(() => expect(names()).toEqual(['default/c']), { timeout: 6000 });
    await until(({ phase, unwatched }) => phase === 'live' && !unwatched);
    expect(phases.filter((phase) => phase === 'live')).toHaveLength(2);
  });

  it('shows a refusal, and tries again', async () => {
    const { until, store } = open([refusal, table('7', 'a')]);
    await until(({ phase }) => phase === 'refused');
    expect(store.getState().problem?.message).toBe('no');
    await vi.waitFor(() => expect(store.getState().phase).toBe('live'), { timeout: 6000 });
  });

  it.each([
    ['keeps its rows while the server is away', 503, ['default/a']],
    ['shows no rows any more to who may not see them', 403, []],
  ])('%s', async (_what, code, rows) => {
    const answer = { kind: 'Status', code, reason: 'Other', message: 'no', metadata: {} };
    const { tell, until, asked, names } = open([table('7', 'a'), answer]);
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    tell('ERROR', { kind: 'Status', code: 410, reason: 'Expired', metadata: {} });
    await until(({ phase }) => phase === 'refused');
    expect(names()).toEqual(rows);
  });

  it('goes on from a bookmark’s revision', async () => {
    const { tell, until, asked } = open([table('7', 'a')]);
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    tell('BOOKMARK', { ...table('30'), rows: [] });
    await until(({ revision }) => revision === '30');
  });
});
