import { afterAll, beforeAll, expect, test } from 'vitest';
import { pods } from '../../src/client/index.ts';
import { sink } from '../../src/programs/index.ts';
import { decodeText } from '../../src/std/index.ts';
import { NodeLab, type Loose } from './lab.ts';

const PODS = '/api/v1/namespaces/default/pods';
let lab: NodeLab;

beforeAll(async () => {
  lab = await NodeLab.start({ nodes: 1 });
  const run = async (name: string, spec: Loose, args: readonly string[]): Promise<void> => {
    const containers = [{ name: 'c', image: 'busybox', command: args }];
    await lab.create(PODS, { metadata: { name }, spec: { containers, restartPolicy: 'Never', ...spec } });
    await lab.until(`${PODS}/${name}`, (pod) => pod.status.phase === 'Running');
  };
  await run('plain', {}, ['sleep', '1111']);
  await run('shares', { shareProcessNamespace: true }, ['sleep', '2222']);
  await run('user', { hostPID: true, securityContext: { runAsUser: 1000 } }, ['sleep', '4444']);
  await run('host', { hostPID: true, hostIPC: true }, ['sleep', '3333']);
});
afterAll(() => lab.stop());

async function sh(pod: string, text: string): Promise<string> {
  let shown = '';
  const access = await lab.nodes.access();
  const stdout = sink((bytes) => void (shown += decodeText(bytes)));
  await access.exec(lab.server.get(pods, `default/${pod}`), 'c', ['sh', '-c', text], { stdout }).exit;
  return shown;
}

test('30. with hostPID a container sees the processes of the node and of all its containers', async () => {
  const seen = await sh('host', 'ps -o pid,args');
  for (const program of ['/sbin/init', 'clusterlet', '/pause', 'sleep 1111', 'sleep 2222', 'sleep 3333'])
    expect(seen).toContain(program);
});

test.each([
  ['plain', ['sleep 1111'], ['2222', '3333', 'init', 'pause']],
  ['shares', ['sleep 2222', '/pause'], ['1111', '3333', 'init']],
])('30. without it %s sees its own alone', async (pod, own, others) => {
  const seen = await sh(pod, 'ps -o pid,args');
  for (const program of own) expect(seen).toContain(program);
  for (const program of others) expect(seen).not.toContain(program);
});

test('30. with hostPID a user ends no process of another user', async () => {
  const pid = (command: string): string =>
    `$(ps -o pid,args | grep "${command}" | grep -v grep | awk "{ print \\$1 }")`;
  const said = await sh('user', `kill -9 ${pid('sleep 2222')} 2>&1; ps -o args`);
  expect(said).toContain('Operation not permitted');
  expect(said).toContain('sleep 2222');
});

test('30. with hostPID a container ends the first process of another, but not those of the node', async () => {
  await sh('host', 'kill -9 1; kill -9 $(ps -o pid,args | grep "sleep 1111" | grep -v grep | awk "{ print \\$1 }")');
  const ended = await lab.until(`${PODS}/plain`, (pod) => pod.status.phase === 'Failed');
  expect(ended.status.containerStatuses[0].state.terminated.exitCode).toBe(137);
  const seen = await sh('host', 'ps -o pid,args');
  expect(seen).toContain('/sbin/init');
  expect(seen).not.toContain('sleep 1111');
});
