import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commands, run, type Session } from '../../src/cli/index.ts';
import { Client, type Transport } from '../../src/client/index.ts';
import type { Cluster } from '../../src/cluster/index.ts';
import { faultsFor } from '../../src/faults/index.ts';
import { namesOf } from '../../src/names/index.ts';
import type { ApiObject } from '../../src/schema/index.ts';
import { must, realClock } from '../../src/std/index.ts';
import { cordon, patchObject, setFault } from '../../src/ui/panels/object/actions/changes.ts';
import {
  commandName,
  deleteCommand,
  drainCommand,
  faultCommand,
  placeOf,
  scaleCommand,
  taintCommand,
} from '../../src/ui/panels/object/actions/commands.ts';
import { objectActions, type Doing } from '../../src/ui/panels/object/actions/list.ts';
import { taintText, withTaint } from '../../src/ui/panels/object/actions/taints.ts';
import { asList, at } from '../../src/ui/stores/jsonValues.ts';
import { deleteObject, scaleObject } from '../../src/ui/stores/actions.ts';
import { loadResources, resourceOfKind, useResources } from '../../src/ui/stores/resources.ts';
import { wordsOf } from '../cli/family.ts';
import { erinsRequest } from '../../src/lessons/certificates/erin.ts';
import { inMemory } from '../cli/ours.ts';
import { asTransport, clusterFor, openInPage } from './transport.ts';

/** A button, and the object that it is pressed for. */
interface Pressed {
  readonly id: string;
  readonly what?: string;
  readonly object: ApiObject;
  /** For buttons of dialogs: what the dialog does, and the command that it shows. */
  readonly press?: (doing: Doing) => unknown;
  readonly command?: (doing: Doing) => string;
}

const object = (apiVersion: string, kind: string, more: object): ApiObject =>
  ({ apiVersion, kind, metadata: { name: 'x' }, ...more }) as ApiObject;

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'main', image: 'nginx:2' }] } };
const deployment = (more: object = {}): ApiObject =>
  object('apps/v1', 'Deployment', { spec: { selector: { matchLabels: { a: 'b' } }, template, ...more } });
const node = (spec: object = {}): ApiObject => object('v1', 'Node', { spec });
const request = object('certificates.k8s.io/v1', 'CertificateSigningRequest', {
  spec: { request: erinsRequest, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] },
});
const [fault] = faultsFor('Node');
const nodeFault = must(fault, 'nodes have faults');

const taint = { key: 'a', value: 'b', effect: 'NoExecute' };

const pressed: readonly Pressed[] = [
  {
    id: 'scale',
    object: deployment(),
    press: ({ target }) => scaleObject(target, 3),
    command: ({ target }) => scaleCommand(target, 3),
  },
  { id: 'restart', object: deployment() },
  { id: 'undo', object: deployment() },
  { id: 'pause', object: deployment() },
  { id: 'resume', object: deployment({ paused: true }) },
  { id: 'cordon', object: node() },
  { id: 'uncordon', object: node({ unschedulable: true }) },
  // The node is cordoned first; it has no pods.
  {
    id: 'drain',
    object: node(),
    press: ({ target }) => cordon(target, true),
    command: ({ target }) => drainCommand(target, placeOf(target)),
  },
  {
    id: 'taint',
    object: node(),
    press: ({ target, object }) =>
      patchObject(target, { spec: { taints: withTaint(asList(at(object, 'spec', 'taints')), taint) } }, undefined),
    command: ({ target }) => taintCommand(target, taintText(taint)),
  },
  { id: 'approve', object: request },
  { id: 'deny', object: request },
  {
    id: 'break',
    object: node(),
    press: ({ target }) => setFault(target, nodeFault, 'true'),
    command: ({ target }) => faultCommand(target, nodeFault, 'true'),
  },
  {
    id: 'break',
    what: 'mend',
    object: { ...node(), metadata: { name: 'x', annotations: { [nodeFault.annotation]: 'true' } } } as ApiObject,
    press: ({ target }) => setFault(target, nodeFault, undefined),
    command: ({ target }) => faultCommand(target, nodeFault, undefined),
  },
  ...(['Background', 'Foreground', 'Orphan'] as const).map((propagationPolicy): Pressed => ({
    id: 'delete',
    what: propagationPolicy,
    object: deployment(),
    press: ({ target }) => deleteObject(target, { propagationPolicy }),
    command: ({ target }) => `${deleteCommand(target, { propagationPolicy })} --wait=false`,
  })),
];

test('each button that changes something is pressed here', () => {
  const changing = objectActions.filter(({ section }) => section !== 'look').map(({ id }) => id);
  expect(new Set(pressed.map(({ id }) => id))).toEqual(new Set(changing));
});

describe('the command that a button tells does what the button does', () => {
  let cluster: Cluster;
  let client: Client;
  /** Writes: the method and the path without its query. */
  let sent: string[] = [];
  const recording: Transport = (path, init) => {
    const method = init?.method ?? 'GET';
    if (method !== 'GET') sent.push(`${method} ${path.replace(/\?.*/, '')}`);
    return asTransport(cluster)(path, init);
  };

  beforeAll(async () => {
    cluster = await clusterFor('k8s.io');
    client = new Client({ transport: asTransport(cluster), names: namesOf('k8s.io'), userAgent: 'test' });
    const recorded = {
      ...cluster,
      fetch: (asked: Request) => {
        if (asked.method !== 'GET') sent.push(`${asked.method} ${new URL(asked.url).pathname}`);
        return cluster.fetch(asked);
      },
    } as Cluster;
    openInPage(recorded, 'k8s.io');
    await loadResources(client);
  });
  afterAll(() => cluster.stop());
  beforeEach(() => void (sent = []));

  /** Makes the object, changes it, and tells what was sent and what the object is then. */
  async function after(made: ApiObject, change: (doing: Doing) => unknown): Promise<unknown> {
    const { resources } = useResources.getState();
    const resource = must(resourceOfKind(resources, made.apiVersion ?? '', made.kind ?? ''), 'its kind is served');
    const namespace = resource.namespaced ? 'default' : '';
    const objects = client.of(resource);
    const created = await objects.create(made, namespace ? { namespace } : {});
    const sets = await makeRevisions(created);
    sent = [];
    await change({ target: { resource, namespace, name: 'x' }, object: created });
    const writes = sent.filter((each) => !/accessreviews/.test(each));
    const left = await objects.get('x', namespace).catch(() => undefined);
    if (left) {
      const bare = { ...left, metadata: { ...left.metadata, finalizers: [] } };
      await objects.update(bare).catch(() => undefined);
      await objects.delete({ metadata: left.metadata }, { gracePeriodSeconds: 0 }).catch(() => undefined);
    }
    for (const set of sets) await client.of(setsRef()).delete(set);
    return { writes: writes.map((each) => each.replace(/^(PUT|PATCH) /, 'CHANGE ')), left: left && bareOf(left) };
  }

  const setsRef = () =>
    must(resourceOfKind(useResources.getState().resources, 'apps/v1', 'ReplicaSet'), 'sets are served');

  /** Two revisions of a Deployment, as its controller keeps them. */
  async function makeRevisions({ kind, metadata }: ApiObject): Promise<readonly ApiObject[]> {
    if (kind !== 'Deployment') return [];
    const owner = { apiVersion: 'apps/v1', kind, name: 'x', uid: metadata.uid, controller: true };
    const sets = [1, 2].map((revision) =>
      object('apps/v1', 'ReplicaSet', {
        metadata: {
          name: `x-${revision}`,
          labels: { a: 'b' },
          annotations: { 'deployment.kubernetes.io/revision': String(revision) },
          ownerReferences: [owner],
        },
        spec: {
          replicas: 0,
          selector: { matchLabels: { a: 'b' } },
          template: { ...template, spec: { containers: [{ name: 'main', image: `nginx:${revision}` }] } },
        },
      }),
    );
    return Promise.all(sets.map((set) => client.of(setsRef()).create(set, { namespace: 'default' })));
  }

  const session: Session = {
    ...{ program: 'kubectl', names: namesOf('k8s.io'), clock: realClock(), namespace: 'default', memory: new Map() },
    ...{ files: inMemory({}), signal: new AbortController().signal, transport: recording },
    ...{ out: () => undefined, err: (text) => void (complaints += text), input: async () => '' },
  };
  let complaints = '';

  test.each(pressed.map((each) => ({ ...each, name: [each.id, each.what].filter(Boolean).join(' ') })))(
    '$name',
    async ({ id, object: made, press, command }) => {
      const action = must(
        objectActions.find((each) => each.id === id),
        'there is such an action',
      );
      const start = press ?? (typeof action.start === 'string' ? undefined : action.start);
      const byButton = await after(made, (doing) =>
        must(start, 'the button of a dialog is pressed by the test')(doing),
      );
      const byCommand = await after(made, async (doing) => {
        const place = { ctl: 'kubectl', namespace: doing.target.namespace };
        const [told = ''] = command ? [command(doing)] : action.commands(place, doing);
        complaints = '';
        expect(await run(commands, wordsOf(told.replace(/^kubectl /, '')), session), complaints).toBe(0);
      });
      expect(byCommand).toEqual(byButton);
      expect(byButton).toMatchObject({ writes: [expect.stringMatching(/\/x(\/|$)/)] });
    },
  );
});

/** What stands in an object without what tells when, by whom and how often it was written. */
function bareOf({
  metadata: { annotations = {}, labels, finalizers, deletionTimestamp },
  ...rest
}: ApiObject): unknown {
  const kept = Object.entries(annotations).map(([key, value]) => [key, key.endsWith('restartedAt') ? 'now' : value]);
  const text = JSON.stringify({ rest, labels, finalizers, leaves: deletionTimestamp !== undefined, kept });
  return JSON.parse(
    text
      .replace(
        /("(?:kubectl.kubernetes.io.restartedAt|lastUpdateTime|lastTransitionTime|timeAdded)":)"[^"]*"/g,
        '$1"now"',
      )
      .replace(/("(?:reason|message)":)"[^"]*"/g, '$1"said"'),
  );
}

test.each([
  ['', 'Service', 'services', 'service/x'],
  ['apps', 'Deployment', 'deployments', 'deployment/x'],
  ['serving.example.com', 'Service', 'services', 'services.serving.example.com/x'],
])('a command names what is of the group “%s”, of kind %s, without doubt', (group, kind, resource, name) => {
  const ref = { group, version: 'v1', kind, resource, namespaced: true };
  expect(commandName({ resource: ref as Doing['target']['resource'], namespace: 'default', name: 'x' })).toBe(name);
});
