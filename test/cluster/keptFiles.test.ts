import { afterEach, describe, expect, test } from 'vitest';
import { createCluster, FlagError, type Cluster, type ClusterOptions } from '../../src/cluster/index.ts';
import { decodeText } from '../../src/std/index.ts';
import { memoryBackend, memoryDisk, type MemoryDisk } from '../../src/storage/index.ts';
import { withoutSecretLines } from '../../src/cluster/exported.ts';

const tokens = (token: string): string => `${token},alice,uid-1\n`;
const apiserver = ['--token-auth-file=tokens.csv', '--authorization-mode=AlwaysAllow'];

describe('the files of a cluster', () => {
  let cluster: Cluster | undefined;
  afterEach(async () => {
    await cluster?.stop();
    cluster = undefined;
  });

  async function open(disk: MemoryDisk, options: Partial<ClusterOptions> = {}): Promise<Cluster> {
    await cluster?.stop();
    cluster = undefined;
    return (cluster = await createCluster(
      { name: 'kept', seed: 1, apiserver, ...options },
      { backend: memoryBackend(disk) },
    ));
  }

  async function statusFor(token: string): Promise<number | undefined> {
    const headers = { authorization: `Bearer ${token}` };
    return (await cluster?.fetch(new Request('http://x/api/v1/namespaces', { headers })))?.status;
  }

  test('are read from storage before the flags that name them', async () => {
    const disk = memoryDisk();
    const files = { 'tokens.csv': tokens('first') };
    await open(disk, { files });
    const again = await open(disk);
    expect(again.files.current).toEqual(files);
    expect(await statusFor('first')).toBe(200);
    expect(await statusFor('another')).toBe(401);
  });

  test('a flag that names a missing file is refused', async () => {
    const disk = memoryDisk();
    await open(disk, { apiserver: [] });
    await expect(open(disk)).rejects.toBeInstanceOf(FlagError);
    await open(disk, { files: { 'tokens.csv': tokens('first') } });
    expect(await statusFor('first'), 'a refused opening lets go of storage').toBe(200);
  });

  test('given files replace stored ones', async () => {
    const disk = memoryDisk();
    await open(disk, { files: { 'tokens.csv': tokens('first') } });
    await open(disk, { files: { 'tokens.csv': tokens('second') } });
    expect([await statusFor('first'), await statusFor('second')]).toEqual([401, 200]);
    await open(disk);
    expect([await statusFor('first'), await statusFor('second')]).toEqual([401, 200]);
  });

  test('later files are added to stored ones with other names', async () => {
    const disk = memoryDisk();
    await open(disk, { files: { 'tokens.csv': tokens('first') } });
    const given = { 'audit.yaml': 'apiVersion: audit.cluster.io/v1\nkind: Policy\nrules: [{ level: None }]\n' };
    await open(disk, { files: given, apiserver: [...apiserver, '--audit-policy-file=audit.yaml'] });
    expect(await statusFor('first')).toBe(200);
    const again = await open(disk);
    expect(Object.keys(again.files.current).sort()).toEqual(['audit.yaml', 'tokens.csv']);
  });

  test('are stored only when they change', async () => {
    const files = { 'tokens.csv': tokens('first') };
    const { files: kept, storage } = await open(memoryDisk(), { files });
    const before = storage.history('/vitrine/files').length;
    await kept.keep({ ...files });
    expect([before, storage.history('/vitrine/files').length]).toEqual([1, 1]);
  });

  test('are stored before anything else of the cluster', async () => {
    const { storage } = await open(memoryDisk(), { files: { 'tokens.csv': tokens('first') } });
    const stored = storage.history('/vitrine/files')[0]?.revision ?? Infinity;
    expect(stored).toBeLessThan(storage.history('/registry/namespaces/default')[0]?.revision ?? 0);
  });

  test('are in no API response, and hidden in an export', async () => {
    const files = { 'tokens.csv': tokens('not-for-others') };
    const { storage } = await open(memoryDisk(), { files });
    const exported = async (lines: AsyncIterable<Uint8Array>): Promise<string> => {
      let text = '';
      for await (const chunk of lines) text += decodeText(chunk);
      return text;
    };
    expect(await exported(storage.export())).toContain('not-for-others');
    expect(await exported(withoutSecretLines(storage.export()))).not.toContain('not-for-others');
  });
});
