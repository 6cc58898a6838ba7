import { describe, expect, test } from 'vitest';
import { faults, wordsOf } from '../../src/faults/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { StatusError, type ApiObject } from '../../src/schema/index.ts';
import { badgesOf } from '../../src/ui/panels/object/actions/badge.ts';
import { commandLine, shellWord } from '../../src/ui/panels/object/actions/commands.ts';
import { drainingOf, refusalOf } from '../../src/ui/panels/object/actions/draining.ts';
import { actionsFor, firstPort, objectActions, type Doing } from '../../src/ui/panels/object/actions/list.ts';
import { previousTemplate } from '../../src/ui/panels/object/actions/revisions.ts';

const names = namesOf('k8s.io');

function doing(kind: string, more: object = {}, subresources: readonly string[] = []): Doing {
  const object = { kind, metadata: { name: 'x', namespace: kind === 'Node' ? '' : 'shop' }, ...more } as ApiObject;
  const resource = { group: '', resource: `${kind.toLowerCase()}s`, kind, subresources } as never;
  return { object, target: { resource, namespace: object.metadata.namespace ?? '', name: 'x' } };
}

const scaled = ['scale'];

describe('what can be done with an object', () => {
  test.each<[string, Doing, string]>([
    ['a pod', doing('Pod'), 'logs shell browse break delete'],
    ['a service', doing('Service', { spec: { selector: { a: 'b' } } }), 'logs browse delete'],
    ['a service without pods', doing('Service'), 'browse delete'],
    [
      'a deployment',
      doing('Deployment', { spec: { selector: { matchLabels: { a: 'b' } } } }, scaled),
      'logs scale restart undo pause delete',
    ],
    ['one that is paused', doing('Deployment', { spec: { paused: true } }, scaled), 'scale restart undo resume delete'],
    ['a node', doing('Node'), 'cordon drain taint break delete'],
    ['one that is cordoned', doing('Node', { spec: { unschedulable: true } }), 'uncordon drain taint break delete'],
    ['a request for a certificate', doing('CertificateSigningRequest'), 'approve deny delete'],
    ['a config map', doing('ConfigMap'), 'delete'],
  ])('%s', (_, given, ids) => {
    expect(
      actionsFor(given)
        .map(({ id }) => id)
        .join(' '),
    ).toBe(ids);
  });

  test('a shell needs a pod that runs, a restart one that is not paused', () => {
    const why = (id: string, given: Doing): string | undefined =>
      objectActions.find((action) => action.id === id)?.unavailable?.(given);
    expect(why('shell', doing('Pod', { status: { phase: 'Pending' } }))).toBe('The pod does not run.');
    expect(why('shell', doing('Pod', { status: { phase: 'Running' } }))).toBeUndefined();
    expect(why('restart', doing('Deployment', { spec: { paused: true } }))).toBe('The roll-out is paused.');
    expect(why('restart', doing('Deployment'))).toBeUndefined();
  });

  test.each<[string, Doing, string]>([
    ['logs', doing('Pod'), 'kubectl logs -f x --all-containers -n shop'],
    [
      'logs',
      doing('Deployment', {
        spec: { selector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'c'] }] } },
      }),
      `kubectl logs -f -l 'a in (b,c)' --prefix --all-containers -n shop`,
    ],
    ['shell', doing('Pod'), 'kubectl exec -it x -n shop -- sh'],
    [
      'browse',
      doing('Service', { spec: { ports: [{ port: 8000 }] } }),
      'kubectl port-forward service/x 8080:8000 -n shop',
    ],
    [
      'scale',
      doing('Deployment', { spec: { replicas: 3 } }, scaled),
      'kubectl scale deployment/x --replicas=3 -n shop',
    ],
    ['restart', doing('StatefulSet'), 'kubectl rollout restart statefulset/x -n shop'],
    ['cordon', doing('Node'), 'kubectl cordon x'],
    ['drain', doing('Node'), 'kubectl drain x --ignore-daemonsets --delete-emptydir-data --force'],
    ['break', doing('Node'), 'kubectl annotate node/x simulation.vitrine.dev/down=true --overwrite'],
    ['delete', doing('Pod'), 'kubectl delete pod/x -n shop'],
  ])('%s: the command that does the same', (id, given, command) => {
    const action = objectActions.find((each) => each.id === id);
    const place = { ctl: names.ctl, namespace: given.target.namespace };
    expect(action?.commands(place, given)).toEqual([command]);
  });

  test('words are quoted where a shell would read them otherwise', () => {
    expect(["it's", 'a b', '', '$(x)', 'a=b'].map(shellWord)).toEqual([`'it'\\''s'`, `'a b'`, `''`, `'$(x)'`, 'a=b']);
    expect(commandLine({ ctl: 'kubectl', namespace: '' }, 'get', 'a;b')).toBe(`kubectl get 'a;b'`);
  });

  test.each<[object, number]>([
    [{ spec: { containers: [{}, { ports: [{ containerPort: 8080 }] }] } }, 8080],
    [{ spec: { ports: [{ port: 443 }] } }, 443],
    [{ spec: {} }, 80],
  ])('of %j the first port is %i', (more, port) => {
    expect(firstPort(doing('Pod', more).object)).toBe(port);
  });
});

describe('the revision before', () => {
  const set = (name: string, revision: number, uid = 'd'): ApiObject =>
    ({
      metadata: {
        name,
        annotations: { 'deployment.kubernetes.io/revision': String(revision) },
        ownerReferences: [{ uid, controller: true }],
      },
      spec: { template: { metadata: { labels: { app: 'x', 'pod-template-hash': name } }, spec: { v: name } } },
    }) as never;
  const deployment = { metadata: { name: 'x', uid: 'd' } } as ApiObject;

  test('is the second highest of the deployment’s own sets, without the controller’s label', () => {
    const sets = [set('one', 1), set('ten', 10), set('nine', 9), set('other', 11, 'e')];
    expect(previousTemplate(deployment, sets, names)).toEqual({
      metadata: { labels: { app: 'x' } },
      spec: { v: 'nine' },
    });
  });

  test('is none where there was only one', () => {
    expect(previousTemplate(deployment, [set('one', 1), set('other', 2, 'e')], names)).toBeUndefined();
  });
});

describe('a drain', () => {
  const pod = (uid: string, more: object = {}): ApiObject =>
    ({ kind: 'Pod', metadata: { name: uid, uid, ...more } }) as never;

  test('evicts all but static pods and those of a DaemonSet, and tells what keeps one', () => {
    const pods = [
      pod('daemon', { ownerReferences: [{ kind: 'DaemonSet', controller: true }] }),
      pod('static', { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
      pod('leaving', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      pod('kept'),
      pod('free', { ownerReferences: [{ kind: 'ReplicaSet', controller: true }] }),
    ];
    const states = drainingOf(
      pods,
      new Map([
        ['kept', 'the budget'],
        ['leaving', 'old'],
      ]),
      names,
    );
    expect(states.map(({ state }) => state)).toEqual(['stays', 'stays', 'leaves', 'blocked', 'waits']);
    expect(states[3]?.why).toBe('the budget');
  });

  test('tells which budget forbids an eviction', () => {
    const message = 'The disruption budget web needs 2 healthy pods and has 2 currently';
    const status = { message: 'Cannot evict', details: { causes: [{ message }] }, code: 429 };
    expect(refusalOf(new StatusError(status as never))).toBe(message);
    expect(refusalOf(new StatusError({ message: 'no', code: 403 } as never))).toBe('no');
  });
});

test('each fault has a badge; its value where that tells more', () => {
  const set = (kind: string, annotations: Record<string, string>): readonly string[] => badgesOf(kind, annotations);
  expect(
    set('Node', { 'simulation.vitrine.dev/down': 'true', 'simulation.vitrine.dev/pressure': 'memory,pid' }),
  ).toEqual(['Off', 'Under pressure: memory,pid']);
  expect(set('Pod', { 'simulation.vitrine.dev/readiness': 'flap', 'simulation.vitrine.dev/pull': 'fail' })).toEqual([
    'Pull fails',
    'Readiness: flap',
  ]);
  expect(set('Pod', { 'simulation.vitrine.dev/down': 'true', 'simulation.vitrine.dev/readiness': 'nonsense' })).toEqual(
    [],
  );
  expect(set('Deployment', { 'simulation.vitrine.dev/pull': 'fail' })).toEqual([]);
  expect(faults.every((fault) => wordsOf(fault).badge.length <= 20)).toBe(true);
});
