/** `edit` through the session's editor, which the reference's client can't be compared in. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands, run, type Session } from '../../src/cli/index.ts';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { realClock } from '../../src/std/index.ts';
import { clusterOptions, fill, TOKEN } from './world.ts';
import { inMemory } from './ours.ts';

describe('edit', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await createCluster(clusterOptions());
    await fill(cluster);
  }, 120_000);
  afterAll(() => cluster.stop());

  /** Runs a line in a session whose person changes texts in these ways, one after the other. */
  const files = inMemory({ 'new.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: fresh}\ndata: {a: "1"}\n' });

  async function edited(words: readonly string[], ...changes: readonly ((text: string) => string | undefined)[]) {
    const said = { out: '', err: '', offered: [] as string[] };
    const left = [...changes];
    const session: Session = {
      ...{ program: 'kubectl', names: namesOf('k8s.io'), clock: realClock(), namespace: 'default' },
      transport: (path, init) => {
        const headers = new Headers(init?.headers);
        headers.set('authorization', `Bearer ${TOKEN}`);
        return cluster.fetch(new Request(`http://cluster${path}`, { ...init, headers }));
      },
      files,
      signal: new AbortController().signal,
      out: (text) => void (said.out += text),
      err: (text) => void (said.err += text),
      input: async () => '',
      edit: async (_title, text) => {
        said.offered.push(text);
        return left.shift()?.(text);
      },
    };
    const code = await run(commands, words, session);
    return { ...said, code };
  }

  const image = () =>
    edited(['get', 'deploy', 'web', '-o', 'jsonpath={.spec.template.spec.containers[0].image}']).then(({ out }) => out);

  test('sends what the person changed', async () => {
    const { out, offered, code } = await edited(['edit', 'deploy', 'web'], (text) =>
      text.replace('nginx:1.19', 'nginx:1.20'),
    );
    expect({ out, code }).toEqual({ out: 'deployment.apps/web edited\n', code: 0 });
    expect(offered[0]).toMatch(/^# Please edit[^]*\nkind: Deployment\n/);
    expect(offered[0]).not.toContain('managedFields');
    expect(await image()).toBe('nginx:1.20');
  });

  test('creates the object as it was edited', async () => {
    const words = ['create', '--edit', '-f', 'new.yaml'];
    expect((await edited(words, (text) => text)).err).toBe('Edit cancelled, no changes made.\n');
    const { out, offered } = await edited(
      words,
      (text) => text.replace('name: fresh', 'name: Not a name'),
      (text) => text.replace('name: Not a name', 'name: fresher').replace('"1"', '"2"'),
    );
    expect(out).toBe('configmap/fresher created\n');
    expect(offered[1]).toContain('# The ConfigMap "Not a name" is invalid');
    expect((await edited(['get', 'cm', '-o', 'name'])).out).not.toContain('configmap/fresh\n');
    expect((await edited(['get', 'cm', 'fresher', '-o', 'jsonpath={.data.a}'])).out).toBe('2');
  });

  test('changes the note of the last apply, and nothing else', async () => {
    await edited(['create', 'cm', 'noted', '--from-literal=a=1', '--save-config']);
    const words = ['apply', 'edit-last-applied', 'cm/noted'];
    const { out, offered } = await edited(words, (text) => text.replace('a: "1"', 'a: "2"'));
    expect(out).toBe('configmap/noted edited\n');
    expect(offered[0]).toMatch(/^apiVersion: v1\ndata:\n {2}a: "1"\nkind: ConfigMap\n/);
    const note = await edited(['apply', 'view-last-applied', 'cm/noted']);
    expect(note.out).toContain('a: "2"');
    expect((await edited(['get', 'cm', 'noted', '-o', 'jsonpath={.data.a}'])).out).toBe('1');
    expect((await edited(words, (text) => text)).err).toBe('Edit cancelled, no changes made.\n');
    expect((await edited(['apply', 'edit-last-applied', 'cm/settings'])).err).toContain(
      'no last-applied-configuration annotation found on resources',
    );
  });

  test.each([
    ['the text is as it was', (text: string) => text],
    ['the person leaves the editor', () => undefined],
    ['the text is empty', () => '# nothing\n'],
  ])('changes nothing where %s', async (_what, change) => {
    const { err, code } = await edited(['edit', 'cm', 'settings'], change);
    expect({ err, code }).toEqual({ err: 'Edit cancelled, no changes made.\n', code: 0 });
  });

  test.each([
    ['the server refuses', (text: string) => text.replace('replicas: 0', 'replicas: -1'), 'spec.replicas'],
    ['the text is no YAML', () => 'a: b: c\n', 'Nested mappings'],
  ])('offers the text again, with what is wrong, where %s', async (_what, change, problem) => {
    const { offered, err } = await edited(['edit', 'deploy', 'web'], change, () => undefined);
    expect(offered).toHaveLength(2);
    expect(
      offered[1]
        ?.split('\n')
        .filter((line) => line.startsWith('#'))
        .join('\n'),
    ).toContain(problem);
    expect(err).toBe('Edit cancelled, no changes made.\n');
  });
});
