/** Which pods a node reads from the files of its directory, and what their mirrors are. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Node, Pod } from '../../../src/client/index.ts';
import { namesOf } from '../../../src/names/index.ts';
import { isMirror, manifestsDirectory, mirrorOf, readManifests } from '../../../src/node/static/manifests.ts';
import { Device, Tree } from '../../../src/programs/index.ts';
import { loadYaml } from '../../../src/std/index.ts';

const names = namesOf('k8s.io');
const node = { metadata: { name: 'Node-1', uid: 'n' } } as Node;
const reading = { node, names, seen: '2026-01-01T00:00:00Z', readPod: (raw: unknown) => raw as Pod };
const pod = (name: string, more = ''): string =>
  `{ apiVersion: v1, kind: Pod, metadata: { name: ${name}${more} }, spec: { containers: [{ name: c }] } }`;

beforeAll(() => loadYaml());

function read(files: Readonly<Record<string, string>>, readPod = reading.readPod) {
  const tree = new Tree(new Device('d', 'ext4', Infinity), () => 0);
  tree.directory('sub.yaml');
  for (const [path, text] of Object.entries(files)) tree.file(path, text);
  return readManifests(tree.root, { ...reading, readPod });
}
const keys = (files: Readonly<Record<string, string>>): string[] => read(files).pods.map(({ key }) => key);
const problems = (text: string): readonly string[] => read({ 'a.yaml': text }).problems;

describe('the files of a directory', () => {
  test('are read by name, but for hidden ones and directories', () => {
    const files = { 'b.yaml': pod('b'), 'a.json': pod('a'), '.hidden': pod('h'), 'sub.yaml/c': pod('c') };
    expect(keys(files)).toEqual(['default/a-node-1', 'default/b-node-1']);
    expect(read(files).problems).toEqual([]);
  });

  test('hold one pod, several, a list of them, or none', () => {
    expect(keys({ a: `${pod('a')}\n---\n${pod('b')}\n` })).toEqual(['default/a-node-1', 'default/b-node-1']);
    expect(keys({ a: `{ kind: List, items: [${pod('a')}, ${pod('b')}] }` })).toHaveLength(2);
    for (const text of ['', '# nothing\n', '---\n---\n', 'null']) {
      expect(keys({ a: text })).toEqual([]);
      expect(problems(text)).toEqual([]);
    }
  });

  test('the last of two pods of one name counts', () => {
    const { pods } = read({ a: pod('a', ', labels: { from: first }'), b: pod('a', ', labels: { from: second }') });
    expect(pods.map(({ pod: made }) => made.metadata.labels)).toEqual([{ from: 'second' }]);
  });

  const NO_POD = 'it is not a pod (apiVersion v1, kind Pod)';
  test.each([
    ['7', NO_POD],
    ['{ apiVersion: v1, kind: Service }', NO_POD],
    ['{ apiVersion: v2, kind: Pod }', NO_POD],
    ['{ apiVersion: v1, kind: Pod }', 'metadata.name is required'],
    ['{ apiVersion: v1, kind: Pod, metadata: [a] }', 'metadata.name is required'],
    ['{ apiVersion: v1, kind: Pod, metadata: { name: "" } }', 'metadata.name is required'],
    ['{ apiVersion: v1, kind: Pod, metadata: { name: 5 } }', 'metadata.name is required'],
    ['{ apiVersion: v1, kind: Pod, metadata: { name: a } }', 'spec.containers is required'],
    ['{ apiVersion: v1, kind: Pod, metadata: { name: a }, spec: { containers: [] } }', 'spec.containers is required'],
    ['{ apiVersion: v1, kind: Pod, metadata: { name: a }, spec: { containers: {} } }', 'spec.containers is required'],
  ])('%s: %s', (text, problem) => {
    expect(problems(text)).toEqual([`/etc/kubernetes/manifests/a.yaml: ${problem}`]);
    // What is wrong in one document does not affect the others.
    expect(keys({ a: `${text}\n---\n${pod('fine')}` })).toEqual(['default/fine-node-1']);
  });

  test('that are no YAML are told by the first line of the error, and none of their pods runs', () => {
    const { pods, problems: told } = read({ 'a.yaml': `${pod('a')}\n---\na: [`, 'b.yaml': pod('b') });
    expect(pods.map(({ key }) => key)).toEqual(['default/b-node-1']);
    expect(told).toEqual([expect.stringMatching(/^\/etc\/kubernetes\/manifests\/a\.yaml: [^\n]{10,}$/)]);
  });

  test('whose pod has wrong types are told with what is wrong', () => {
    const refuse = (): Pod => {
      throw new Error('spec: expected something else');
    };
    expect(read({ a: pod('a') }, refuse)).toEqual({
      pods: [],
      problems: ['/etc/kubernetes/manifests/a: spec: expected something else'],
    });
  });
});

describe('a static pod', () => {
  const metadata = '{ name: a, namespace: team, annotations: { own: x } }';
  const spec = '{ containers: [{ name: c }], tolerations: [{ key: k }] }';
  const only = () => {
    const [first] = read({ a: `{ apiVersion: v1, kind: Pod, metadata: ${metadata}, spec: ${spec} }` }).pods;
    if (!first) throw new Error('there is none');
    return first;
  };

  test('is named after its node, bound to it, and tolerates every taint', () => {
    const { pod: own, hash, key } = only();
    expect(key).toBe('team/a-node-1');
    expect(hash).toMatch(/^[0-9a-f]{32}$/);
    expect(own).toEqual({
      ...{ apiVersion: 'v1', kind: 'Pod' },
      metadata: {
        ...{ name: 'a-node-1', namespace: 'team', uid: hash },
        annotations: {
          own: 'x',
          'kubernetes.io/config.hash': hash,
          'kubernetes.io/config.source': 'file',
          'kubernetes.io/config.seen': '2026-01-01T00:00:00Z',
        },
      },
      spec: {
        ...{ containers: [{ name: 'c' }], nodeName: 'Node-1' },
        tolerations: [{ key: 'k' }, { operator: 'Exists', effect: 'NoExecute' }],
      },
      status: { phase: 'Pending' },
    });
  });

  test('is another where its manifest, its file or its node is another', () => {
    const hashOf = (files: Readonly<Record<string, string>>): string | undefined => read(files).pods[0]?.hash;
    const all = [hashOf({ a: pod('a') }), hashOf({ b: pod('a') }), hashOf({ a: pod('a', ', labels: {}') })];
    expect(new Set(all).size).toBe(3);
    expect(hashOf({ a: pod('a') })).toBe(all[0]);
  });

  test('has a mirror that belongs to its node', () => {
    const own = only();
    const mirror = mirrorOf(own, node, names);
    const { uid: _, ...rest } = own.pod.metadata;
    expect(mirror).toEqual({
      ...{ apiVersion: 'v1', kind: 'Pod', spec: own.pod.spec },
      metadata: {
        ...rest,
        annotations: { ...rest.annotations, 'kubernetes.io/config.mirror': own.hash },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'Node-1', uid: 'n', controller: true }],
      },
    });
    expect([isMirror(mirror, names), isMirror(own.pod, names)]).toEqual([true, false]);
  });
});

test.each([
  ['k8s.io', '/etc/kubernetes/manifests'],
  ['cluster.io', '/etc/cluster/manifests'],
] as const)('in the profile %s the directory is %s', (profile, path) => {
  expect(manifestsDirectory(namesOf(profile))).toBe(path);
});
