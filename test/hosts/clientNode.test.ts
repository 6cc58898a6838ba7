/** The field's client for Node against servers in memory, in a directory and in etcd. Skipped where there is none. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ClusterOptions, Host } from '../../src/cluster/index.ts';
import { kubeconfigOf } from '../../src/hosts/kubeconfig.ts';
import { openDataDirectory } from '../../src/hosts/node/data/directory.ts';
import { etcdStorage } from '../../src/hosts/node/etcd/storage.ts';
import { serve } from '../../src/hosts/node/index.ts';
import { etcdHere, startEtcd } from '../etcd/server.ts';
import { clientNode, EVERYTHING, tryClientNode } from './clientNodeHere.ts';

const token = 'secret';
const optionsWith = (...flags: readonly string[]): ClusterOptions => ({
  ...{ name: 'node', naming: 'k8s.io', nodes: 1 },
  apiserver: ['--token-auth-file=tokens.csv', '--authorization-mode=Node,RBAC', ...flags],
  controllerManager: ['--use-service-account-credentials=true'],
  files: { 'tokens.csv': `${token},admin,admin,system:masters\n` },
});

/** Serves a cluster and has the client do everything. */
async function everythingOn(folder: string, cluster: ClusterOptions, host: Host = {}): Promise<readonly string[]> {
  const served = await serve({ port: 0, host: '127.0.0.1', tls: true, cluster }, host);
  onTestFinished(() => served.close());
  const file = join(folder, 'kubeconfig');
  await writeFile(file, kubeconfigOf({ ...served, name: 'node', user: { token } }));
  return tryClientNode(file);
}

async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'client-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test.skipIf(clientNode === undefined)('a server in memory', { timeout: 90_000 }, async () => {
  expect(await everythingOn(await scratch(), optionsWith())).toEqual(EVERYTHING);
});

test.skipIf(clientNode === undefined)('a server with a data directory', { timeout: 90_000 }, async () => {
  const folder = await scratch();
  const { backend, release } = await openDataDirectory(join(folder, 'data'));
  onTestFinished(release);
  expect(await everythingOn(folder, optionsWith(), { backend })).toEqual(EVERYTHING);
});

test.skipIf(clientNode === undefined || !etcdHere.has)('a server on etcd', { timeout: 90_000 }, async () => {
  const etcd = await startEtcd();
  onTestFinished(() => etcd.stop());
  const cluster = optionsWith(`--etcd-servers=${etcd.url}`);
  expect(await everythingOn(await scratch(), cluster, etcdStorage(cluster))).toEqual(EVERYTHING);
});
