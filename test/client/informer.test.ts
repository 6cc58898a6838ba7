import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Client, Informer, type ResourceRef } from '../../src/client/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { manualClock } from '../../src/std/index.ts';
import { ScriptedServer } from './scriptedServer.ts';

const configMaps: ResourceRef = {
  group: '',
  version: 'v1',
  resource: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
};

let server: ScriptedServer;
let clock: ReturnType<typeof manualClock>;
let informer: Informer;
let heard: string[];

beforeEach(() => {
  server = new ScriptedServer();
  clock = manualClock();
  const client = new Client({ transport: server.transport, names: namesOf('cluster.io') });
  informer = new Informer({ resource: client.of(configMaps), clock });
  heard = [];
  informer.on({
    added: (o, initial) => heard.push(`added ${o.metadata.name}${initial ? ' at first' : ''}`),
    changed: (o, old) =>
      heard.push(`changed ${o.metadata.name} ${old.metadata.resourceVersion}→${o.metadata.resourceVersion}`),
    deleted: (o) => heard.push(`deleted ${o.metadata.name}`),
  });
});

afterEach(() => informer.stop());

/** Lets streams deliver: they take turns of the host's event loop, not of the clock. */
async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !holds(); turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(holds()).toBe(true);
}

const watches = (): string[] => server.requests.filter((r) => r.includes('watch=true'));
const lists = (): number => server.requests.length - watches().length;

async function begin(): Promise<void> {
  informer.start();
  await informer.synced;
  await until(() => watches().length === 1);
}

describe('an informer', () => {
  test('reports the existing objects, then each change in order', async () => {
    server.put('a', '1');
    await begin();
    server.put('a', '2');
    server.put('b', '1');
    server.remove('a');
    await until(() => heard.length === 4);
    expect(heard).toEqual(['added a at first', 'changed a 1→2', 'added b', 'deleted a']);
    expect(informer.list().map((o) => o.metadata.name)).toEqual(['b']);
  });

  test('adds the list’s kind and version to each object', async () => {
    server.put('a', '1');
    await begin();
    expect(informer.get('ns/a')).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
  });

  test('resumes a watch that ended, without listing again', async () => {
    server.put('a', '1');
    await begin();
    server.bookmark();
    await until(() => informer.revision === '2');
    server.breakWatches();
    await until(() => heard.length === 1);
    server.put('b', '1');
    await clock.step(2000);
    await until(() => heard.includes('added b'));
    expect(watches()[1]).toContain('resourceVersion=2');
    expect(lists()).toBe(1);
  });

  test('lists again on 410 and reports the differences, a replaced object as deleted and added', async () => {
    server.put('a', '1');
    server.put('b', '1');
    server.put('c', '1');
    await begin();
    heard.length = 0;
    server.breakWatches();
    server.remove('a');
    server.remove('b');
    server.put('b', '1', 'another');
    server.put('c', '2');
    server.compact();
    await until(() => informer.hasSynced);
    for (let i = 0; i < 5; i++) await clock.step(2000);
    await until(() => heard.length === 4);
    expect(heard).toEqual(['deleted a', 'changed c 3→7', 'deleted b', 'added b']);
    expect(lists()).toBe(2);
  });

  test('backs off from a server that refuses', async () => {
    server.refusing = true;
    informer.start();
    await until(() => server.requests.length === 1);
    for (let second = 0; second < 60; second++) {
      await clock.step(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(server.requests.length).toBeLessThan(9);
    server.refusing = false;
    server.put('a', '1');
    await clock.step(31_000);
    await informer.synced;
    expect(heard).toEqual(['added a at first']);
  });

  test('lets a loop wait for its own write', async () => {
    server.put('a', '1');
    await begin();
    let seen = false;
    const waiting = informer.until('ns/a', (o) => o?.metadata.resourceVersion === '2').then(() => (seen = true));
    await until(() => !seen);
    server.put('a', '2');
    await waiting;
    expect(informer.get('ns/a')?.metadata.resourceVersion).toBe('2');
  });

  test('gives up waiting after five seconds', async () => {
    await begin();
    const waiting = informer.until('ns/never', (o) => o !== undefined);
    await clock.step(5000);
    await waiting;
    expect(informer.get('ns/never')).toBeUndefined();
  });

  test('keeps its indexes up to date', async () => {
    informer.addIndex('data', (o) => [(o.data as { data: string }).data]);
    server.put('a', 'x');
    server.put('b', 'x');
    await begin();
    server.put('a', 'y');
    await until(() => heard.length === 3);
    expect(informer.by('data', 'x').map((o) => o.metadata.name)).toEqual(['b']);
    expect(informer.by('data', 'y').map((o) => o.metadata.name)).toEqual(['a']);
    expect(informer.by('data', 'z')).toEqual([]);
  });

  test('isolates handlers that throw', async () => {
    informer.on({
      added: () => {
        throw new Error('mistake');
      },
    });
    const others: string[] = [];
    informer.on({ added: (o) => others.push(o.metadata.name ?? '') });
    server.put('a', '1');
    await begin();
    expect(others).toEqual(['a']);
  });
});
