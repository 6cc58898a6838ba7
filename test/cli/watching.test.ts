import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands, run, type Session } from '../../src/cli/index.ts';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { realClock } from '../../src/std/index.ts';
import { wordsOf } from './family.ts';
import { inMemory } from './ours.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
let cluster: Cluster;

beforeAll(async () => {
  cluster = await createCluster({ name: 'watch', naming: 'k8s.io', nodes: 0, seed: 1 });
  await write('POST', MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'first' } });
});
afterAll(() => cluster.stop());

const transport: Session['transport'] = (path, init) => cluster.transportAs('admin')(path, init);

async function write(method: string, path: string, body?: unknown): Promise<void> {
  const init = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) };
  const response = await transport(path, init);
  expect(response.ok, await response.text()).toBe(true);
}

/** Runs a line until `lines` lines have been printed and those are told; then the person interrupts it. */
async function watched(line: string, act: () => Promise<void>, lines: number): Promise<string> {
  const interrupt = new AbortController();
  let out = '';
  let begun = (): void => undefined;
  const first = new Promise<void>((resolve) => (begun = resolve));
  const session: Session = {
    ...{ program: 'kubectl', names: namesOf('k8s.io'), clock: realClock(), namespace: 'default', transport },
    files: inMemory({}),
    signal: interrupt.signal,
    out: (text) => {
      out += text;
      begun();
      if (out.split('\n').length > lines) interrupt.abort();
    },
    err: (text) => void (out += text),
    input: async () => '',
  };
  const running = run(commands, wordsOf(line), session);
  await first;
  await act();
  await running;
  return out
    .replace(/\d+s\b/g, 'AGE')
    .split('\n')
    .slice(0, lines)
    .join('\n');
}

describe('get --watch', () => {
  test('prints what is there, and then every change', async () => {
    const change = async (): Promise<void> => {
      await write('POST', MAPS, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'second' },
        data: { a: 'b' },
      });
    };
    const names = 'get cm -w --field-selector=metadata.name!=kube-root-ca.crt';
    expect(await watched(names, change, 3)).toBe('NAME    DATA   AGE\nfirst   0      AGE\nsecond   1      AGE');
  });

  test('says what happened with --output-watch-events', async () => {
    const change = (): Promise<void> => write('DELETE', `${MAPS}/second`);
    expect(await watched('get cm second -w --output-watch-events', change, 3)).toBe(
      'EVENT      NAME     DATA   AGE\nADDED      second   1      AGE\nDELETED    second   1      AGE',
    );
  });

  test('prints watch events as objects with --output-watch-events and an output format', async () => {
    const change = (): Promise<void> => write('DELETE', `${MAPS}/first`);
    const line = 'get cm first -w --output-watch-events -o jsonpath={.type}:{.object.metadata.name}{"\\n"}';
    expect(await watched(line, change, 2)).toBe('ADDED:first\nDELETED:first');
  });
});
