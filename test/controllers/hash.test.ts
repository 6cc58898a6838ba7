import { describe, expect, test } from 'vitest';
import { revisionHash, templateHash } from '../../src/controllers/history/hash.ts';
import { revisionData } from '../../src/controllers/history/revisions.ts';
import { namesOf } from '../../src/names/index.ts';
import type { Loose } from './bench.ts';

const field = namesOf('k8s.io');
const neutral = namesOf('cluster.io');

/** A template as the server stores it: with defaults. */
function template(labels: Record<string, string>, container: object, spec: object = {}): Loose {
  const defaults = {
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: 'IfNotPresent',
  };
  return {
    metadata: { creationTimestamp: null, labels },
    spec: {
      containers: [{ ...defaults, ...container }],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler',
      ...spec,
    },
  };
}

const nginx = (spec: object = {}): Loose =>
  template(
    { app: 'nginx' },
    { name: 'nginx', image: 'nginx:1.14.2', ports: [{ containerPort: 80, protocol: 'TCP' }] },
    spec,
  );
const web = (v: string): Loose =>
  template({ app: 'web', v }, { name: 'c', image: `img:${v}` }, { schedulerName: 'none' });

describe('the hash of a template', () => {
  test.each([
    ["the documentation's nginx-deployment", nginx(), '66b6c48dd5'],
    ['a recorded template', web('1'), '6497879f47'],
    ['the same after a change', web('2'), '7b669d57bf'],
  ])('equals the reference’s for %s', (_, given, hash) => {
    expect(templateHash(given, field)).toBe(hash);
  });

  test('changes with the collision count, even if it is zero', () => {
    const hashes = [undefined, 0, 1, 256].map((count) => templateHash(nginx(), field, count));
    expect(new Set(hashes).size).toBe(4);
  });

  test('is the same in both naming profiles', () => {
    const inField = nginx({ nodeSelector: { 'kubernetes.io/os': 'linux' } });
    const inNeutral = nginx({ nodeSelector: { 'cluster.io/os': 'linux' } });
    expect(templateHash(inNeutral, neutral)).toBe(templateHash(inField, field));
    expect(templateHash(inNeutral, field)).not.toBe(templateHash(inField, field));
  });
});

describe('the hash of a revision', () => {
  const rich = template(
    { app: 'rich', v: '1' },
    {
      name: 'c',
      image: 'img:1',
      env: [{ name: 'A', value: 'b' }],
      ports: [{ containerPort: 80, protocol: 'TCP' }],
      resources: { limits: { cpu: '1', memory: '1Gi' } },
    },
    { schedulerName: 'none' },
  );

  test('equals the reference’s for a recorded stateful set', () => {
    expect(revisionHash(revisionData(rich), field, 0)).toBe('b7c998d4b');
  });

  test('changes with the collision count', () => {
    expect(revisionHash(revisionData(rich), field, 1)).not.toBe(revisionHash(revisionData(rich), field, 0));
  });

  test('does not depend on the order of keys', () => {
    const { spec, metadata } = rich;
    expect(revisionHash({ b: [{ d: 1, c: 2 }], a: '' }, field, 0)).toBe(
      revisionHash({ a: '', b: [{ c: 2, d: 1 }] }, field, 0),
    );
    expect(JSON.stringify(revisionData({ spec, metadata }))).toBe(JSON.stringify(revisionData(rich)));
  });

  test('is computed from JSON with Go’s escapes', () => {
    const hash = (text: string): string => revisionHash({ text }, field, 0);
    expect(hash('a<b')).not.toBe(hash('a\\u003cb'));
    expect(new Set(['<', '>', '&', '\u2028', '\b', '\f', '\\b'].map(hash)).size).toBe(7);
  });
});

describe('identifiers of the neutral profile', () => {
  test.each([
    ['cluster.io/hostname', 'kubernetes.io/hostname'],
    ['node-role.cluster.io/master', 'node-role.kubernetes.io/master'],
    ['clusterctl.cluster.io/restartedAt', 'kubectl.kubernetes.io/restartedAt'],
    ['snapshot.storage.cluster.io', 'snapshot.storage.k8s.io'],
    ['mycluster.io/x', 'mycluster.io/x'],
    ['cluster', 'cluster'],
  ])('%s is %s in the k8s.io profile', (text, inField) => {
    expect(neutral.asInField(text)).toBe(inField);
    expect(field.asInField(text)).toBe(text);
  });
});
