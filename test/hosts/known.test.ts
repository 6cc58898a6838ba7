import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ClusterOptions } from '../../src/cluster/index.ts';
import { settleFiles } from '../../src/hosts/page/files.ts';
import { forget, knownCluster, knownClusters, remember } from '../../src/hosts/page/known.ts';

const KEY = 'vitrine.clusters';
const files = { 'tokens.csv': 'verysecret,alice,1\n' };
const options: ClusterOptions = { name: 'lab', apiserver: ['--token-auth-file=tokens.csv'], files };

describe('the list of clusters that a browser keeps', () => {
  const shelf = new Map<string, string>();
  beforeEach(() => {
    shelf.clear();
    const storage = {
      getItem: (key: string) => shelf.get(key) ?? null,
      setItem: (key: string, text: string) => shelf.set(key, text),
      removeItem: (key: string) => shelf.delete(key),
    };
    vi.stubGlobal('localStorage', storage);
    vi.stubGlobal('sessionStorage', storage);
  });
  afterEach(() => vi.unstubAllGlobals());

  /** What a version that remembered files has left. */
  const leftByOlderVersion = (): void =>
    void shelf.set(KEY, JSON.stringify({ lab: { name: 'lab', options, lastOpened: 1 } }));

  test('has no files of a cluster, so no credentials', () => {
    remember(options, true);
    expect(shelf.get(KEY)).not.toContain('verysecret');
    expect(knownCluster('lab')?.options).toEqual({ name: 'lab', apiserver: options.apiserver });
  });

  test('never gets files, not even when the cluster could not keep them', () => {
    remember(options, false);
    expect(shelf.get(KEY)).not.toContain('verysecret');
  });

  test('loses the files that an older version left when the cluster keeps them', () => {
    leftByOlderVersion();
    expect(knownCluster('lab')?.options.files).toEqual(files);
    remember(options, true);
    expect(shelf.get(KEY)).not.toContain('verysecret');
  });

  test('has the files of an older version until the cluster keeps them: nothing is lost', () => {
    leftByOlderVersion();
    remember(options, false);
    expect(knownCluster('lab')?.options.files).toEqual(files);
  });

  test('knows clusters of any name, and forgets them', () => {
    for (const name of ['__proto__', 'constructor', 'lab']) remember({ name }, true);
    expect(
      knownClusters()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['__proto__', 'constructor', 'lab']);
    forget('constructor');
    expect(knownCluster('constructor')).toBeUndefined();
  });
});

describe('the files of a cluster that is open', () => {
  beforeEach(() => void vi.stubGlobal('navigator', { userAgent: 'test' }));
  afterEach(() => vi.unstubAllGlobals());
  const answering = (response: () => Response) => {
    const send = vi.fn((_call: unknown) => Promise.resolve(response()));
    return { send };
  };

  test('are handed to the cluster when they are given', async () => {
    const connection = answering(() => Response.json({ kept: true }));
    expect(await settleFiles(connection, files)).toEqual({ files, kept: true });
    expect(connection.send).toHaveBeenCalledWith(
      expect.objectContaining({ realm: 'host', method: 'POST', path: '/files', body: JSON.stringify(files) }),
    );
  });

  test('are read from the cluster when none are given', async () => {
    const connection = answering(() => Response.json(files));
    expect(await settleFiles(connection, undefined)).toEqual({ files, kept: true });
    expect(connection.send).toHaveBeenCalledWith(expect.objectContaining({ method: 'GET', path: '/files' }));
  });

  test.each([
    ['storage that is full', () => Response.json({ kept: false })],
    ['a tab of an older version', () => new Response(null, { status: 404 })],
  ])('are not kept by %s', async (_, response) => {
    expect(await settleFiles(answering(response), files)).toEqual({ files, kept: false });
  });
});
