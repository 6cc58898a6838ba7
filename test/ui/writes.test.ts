/**
 * What panels' buttons write, and the commands that they tell. The actions on one object have a test of their own
 * (actionCommands.test.ts).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands, run, type Session } from '../../src/cli/index.ts';
import { Client, type Transport } from '../../src/client/index.ts';
import type { Cluster } from '../../src/cluster/index.ts';
import type { KnownObject, Wait } from '../../src/explain/index.ts';
import { erinsRequest } from '../../src/lessons/certificates/erin.ts';
import { namesOf } from '../../src/names/index.ts';
import type { ApiObject } from '../../src/schema/index.ts';
import { must, realClock } from '../../src/std/index.ts';
import { applyingEdits } from '../../src/ui/panels/access/applyEdits.ts';
import { deciding, signers, submitting } from '../../src/ui/panels/access/certificates/signing.ts';
import { accountToken } from '../../src/ui/panels/access/tokens/issuing.ts';
import { introduction } from '../../src/ui/panels/commands/CommandList.tsx';
import { requestCommand } from '../../src/ui/panels/commands/commandOf.ts';
import { commandsOf } from '../../src/ui/panels/commands/rehearsal.ts';
import { applying } from '../../src/ui/panels/editor/applying.ts';
import { holdRemoval } from '../../src/ui/panels/lifecycle/removeHold.ts';
import { goingBack, pausing } from '../../src/ui/panels/object/actions/changes.ts';
import { applyingDraft } from '../../src/ui/panels/scheduling/apply.ts';
import { exampleWriting, webhookDeletion, webhookSaving } from '../../src/ui/panels/webhooks/actions.ts';
import { examples } from '../../src/ui/panels/webhooks/examples.ts';
import { writtenOf } from '../../src/ui/panels/webhooks/written.ts';
import { scenarios } from '../../src/ui/scenarios/list.ts';
import { administrator } from '../../src/ui/stores/identity.ts';
import {
  loadResources,
  resourceOfKind,
  useResources,
  versionOf,
  type ObjectRef,
} from '../../src/ui/stores/resources.ts';
import { perform, type Write } from '../../src/ui/stores/writes.ts';
import { wordsOf } from '../cli/family.ts';
import { inMemory } from '../cli/ours.ts';
import { asTransport, clusterFor, openInPage } from './transport.ts';

const names = namesOf('k8s.io');

const object = (apiVersion: string, kind: string, more: object = {}): ApiObject =>
  ({ apiVersion, kind, metadata: { name: 'x', namespace: 'default' }, ...more }) as ApiObject;

const spec = (image: string) => ({ containers: [{ name: 'main', image }] });
const labels = { a: 'b' };
const deployment = object('apps/v1', 'Deployment', {
  spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: spec('nginx:2') } },
});
const replicaSet = (owner: ApiObject | undefined, revision: number): ApiObject =>
  object('apps/v1', 'ReplicaSet', {
    metadata: {
      name: `x-${revision}`,
      namespace: 'default',
      labels,
      annotations: { 'deployment.kubernetes.io/revision': String(revision) },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x', uid: owner?.metadata.uid, controller: true },
      ],
    },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: spec(`nginx:${revision}`) },
    },
  });
const configMap = object('v1', 'ConfigMap', { data: { a: 'b' } });
const held = object('v1', 'ConfigMap', {
  metadata: { name: 'x', namespace: 'default', finalizers: ['example.com/hold'] },
});
const authority = object('v1', 'ConfigMap', {
  metadata: { name: 'kube-root-ca.crt', namespace: 'default' },
  data: { 'ca.crt': 'PEM' },
});
const request = object('certificates.k8s.io/v1', 'CertificateSigningRequest', {
  metadata: { name: 'x' },
  spec: { request: erinsRequest, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] },
});
const role = object('rbac.authorization.k8s.io/v1', 'Role', {
  rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
});
const node = object('v1', 'Node', { metadata: { name: 'x' } });
const pod = object('v1', 'Pod', { metadata: { name: 'x', namespace: 'default', labels }, spec: spec('nginx') });

const wait = (byHand: Wait['byHand']): Wait =>
  ({ finalizer: 'example.com/hold', party: 'x', task: 'x', state: 'unknown', heldBy: [], byHand }) as Wait;

interface Pressed {
  readonly name: string;
  /** What is there. */
  readonly before: readonly ((made: readonly ApiObject[]) => ApiObject)[];
  /** The button, for what was made before. */
  readonly write: (made: readonly ApiObject[]) => Write;
  /** Told commands that are read, and not compared: what they send is made anew each time. */
  readonly told?: RegExp;
}

const refOf = ({ apiVersion = '', kind = '', metadata }: ApiObject): ObjectRef => ({
  resource: must(resourceOfKind(useResources.getState().resources, apiVersion, kind), `${kind} is served`),
  namespace: metadata.namespace ?? '',
  name: metadata.name ?? '',
});
const first = (made: readonly ApiObject[]): KnownObject => must(made[0], 'something was made') as KnownObject;
const there = (...objects: readonly ApiObject[]): Pressed['before'] => objects.map((each) => () => each);
const example = must(
  examples.find(({ askedBy }) => askedBy === 'validating'),
  'there is an example',
);
const signer = must(signers[0], 'there is a signer');
const nodeDraft = { ...node, metadata: { name: 'x', labels: { disk: 'ssd' } } };
const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n  namespace: default\ndata:\n  a: c\n';
const how = { force: false, dryRun: false, namespace: 'default' } as const;

const pressed: readonly Pressed[] = [
  {
    name: 'Remove a finalizer',
    before: there(held),
    write: (made) => holdRemoval(refOf(first(made)), first(made), wait({ finalizers: [], subresource: '', loses: '' })),
  },
  {
    name: 'Finalize a namespace',
    before: there(object('v1', 'Namespace', { metadata: { name: 'x' } })),
    write: (made) =>
      holdRemoval(refOf(first(made)), first(made), wait({ finalizers: [], subresource: 'finalize', loses: '' })),
  },
  { name: 'Pause a roll-out', before: there(deployment), write: (made) => pausing(refOf(first(made)), false) },
  {
    name: 'Resume a roll-out',
    before: there({ ...deployment, spec: { ...(deployment['spec'] as object), paused: true } } as ApiObject),
    write: (made) => pausing(refOf(first(made)), true),
  },
  {
    name: 'Go back to a revision',
    before: [() => deployment, (made) => replicaSet(made[0], 1), (made) => replicaSet(made[0], 2)],
    write: (made) => goingBack(refOf(first(made)), 1, { metadata: { labels }, spec: spec('nginx:1') }),
  },
  { name: 'Write a webhook', before: there(authority), write: () => exampleWriting(example, 'default') },
  {
    name: 'Save a webhook',
    before: there(configMap),
    write: (made) => webhookSaving(writtenOf(first(made)), '// new', { ...writtenOf(configMap).knobs, delay: '2s' }),
  },
  {
    name: 'Delete a webhook',
    before: there(configMap, object('v1', 'Service', { spec: { ports: [{ port: 443 }] } })),
    write: (made) => webhookDeletion(writtenOf(first(made)), undefined),
  },
  {
    name: 'Issue a token',
    before: there(object('v1', 'ServiceAccount')),
    write: () => accountToken({ namespace: 'default', name: 'x', audiences: [], seconds: 600 }),
  },
  {
    name: 'Make a key and ask',
    before: [],
    write: () => submitting('x', { user: 'x', groups: [], hosts: [] }, signer),
    told: /^kubectl create -f - <<'EOF'\n[^]*CertificateSigningRequest[^]*\nEOF$/,
  },
  ...(['Approved', 'Denied'] as const).map((type): Pressed => ({
    name: `A request is ${type}`,
    before: there(request),
    write: (made) => deciding(first(made), type),
  })),
  {
    name: 'Apply as administrator: a new role, and one more verb',
    before: there(role),
    write: () =>
      applyingEdits([
        { do: 'create-role', role: { kind: 'Role', namespace: 'default', name: 'y' }, rules: [] },
        { do: 'add', to: { kind: 'Role', namespace: 'default', name: 'x' }, field: 'rules[0].verbs', value: 'list' },
      ]),
  },
  { name: 'Apply what is new', before: [], write: () => applying(text, { ...how, way: 'merge' }) },
  { name: 'Apply server-side', before: [], write: () => applying(text, { ...how, way: 'serverSide' }) },
  { name: 'Replace', before: there(configMap), write: () => applying(text, { ...how, way: 'replace' }) },
  { name: 'Dry run', before: [], write: () => applying(text, { ...how, dryRun: true, way: 'serverSide' }) },
  {
    name: 'Apply a draft to a node',
    before: there(node),
    write: (made) => applyingDraft({ nodes: [nodeDraft] } as never, { pod: undefined } as never, made),
  },
  {
    name: 'Replace a pod by its draft',
    before: there(
      object('v1', 'ServiceAccount', {
        metadata: { name: 'default', namespace: 'default' },
        automountServiceAccountToken: false,
      }),
      pod,
    ),
    write: ([, made]) =>
      applyingDraft(
        { pod: { ...pod, spec: { ...spec('nginx'), nodeSelector: { disk: 'ssd' } } } } as never,
        { kind: 'pod', pod: made } as never,
        [],
      ),
  },
  {
    name: 'Change the template by a draft',
    before: there(deployment),
    write: ([made]) =>
      applyingDraft(
        { pod: { ...pod, spec: { ...spec('nginx:2'), nodeSelector: { disk: 'ssd' } } } } as never,
        { kind: 'deployment', object: made, pod: { ...pod, spec: spec('nginx:2') } } as never,
        [],
      ),
  },
];

let cluster: Cluster;
let client: Client;
let transport: Transport;
/** Writes: the method and the path. */
let sent: string[] = [];
/** What is there before anything is pressed. */
let beginning: ReadonlySet<string | undefined>;

beforeAll(async () => {
  cluster = await clusterFor('k8s.io');
  const noted = async (asked: Request): Promise<Response> => {
    const { pathname, search } = new URL(asked.url);
    // What the server is only asked to try leaves nothing.
    const isWrite = asked.method !== 'GET' && !search.includes('dryRun') && !pathname.includes('accessreviews');
    if (isWrite) sent.push(`${asked.method.replace(/^(PUT|PATCH)$/, 'CHANGE')} ${pathname}`);
    return cluster.fetch(asked);
  };
  const recorded = { ...cluster, fetch: noted } as Cluster;
  transport = asTransport(recorded);
  client = new Client({ transport, names, userAgent: 'test' });
  openInPage(recorded, 'k8s.io');
  await loadResources(client);
  beginning = new Set((await everything()).map(({ metadata }) => metadata.uid));
});
afterAll(() => cluster.stop());

/** Makes what is there before, presses a button or runs the commands that it tells, and says what came of it. */
async function outcomeOf(
  { before, write }: Pressed,
  act: (write: Write, session: Session) => Promise<void>,
): Promise<unknown> {
  const made: ApiObject[] = [];
  for (const each of before) {
    const draft = each(made);
    const { resource, namespace } = refOf(draft);
    const created = await client.of(resource).create(draft, namespace ? { namespace } : {});
    made.push({ ...created, apiVersion: draft.apiVersion, kind: draft.kind } as ApiObject);
  }
  sent = [];
  await act(write(made), sessionFor(transport));
  const [writes, objects] = [[...sent], (await everything()).map(bareOf)];
  await clear();
  return { writes, objects };
}

const KINDS = [
  ...['ConfigMap', 'Deployment', 'ReplicaSet', 'Node', 'Pod', 'Role', 'Service', 'ServiceAccount', 'Namespace'],
  ...['CertificateSigningRequest', 'ValidatingWebhookConfiguration'],
];

/** What is there of the kinds that buttons write. */
async function everything(): Promise<ApiObject[]> {
  const served = useResources.getState().resources.filter(({ kind }) => KINDS.includes(kind));
  const lists = await Promise.all(
    served.map(async (resource) => {
      const { items } = await client.of(resource).list();
      return items.map((each) => ({ ...each, apiVersion: versionOf(resource), kind: resource.kind }) as ApiObject);
    }),
  );
  return lists.flat();
}

/** Deletes what was made. */
async function clear(): Promise<void> {
  for (const each of await everything()) {
    if (beginning.has(each.metadata.uid)) continue;
    const objects = client.of(refOf(each).resource);
    if (each.metadata.finalizers) await objects.patch(each, 'merge', { metadata: { finalizers: null } });
    await objects.delete({ metadata: each.metadata }, { gracePeriodSeconds: 0 }).catch(() => undefined);
    if (each.kind !== 'Namespace') continue;
    const left = await objects.get(each.metadata.name ?? '');
    await objects.update({ ...left, spec: { finalizers: [] } } as ApiObject, { subresource: 'finalize' });
  }
}

/** An object without what tells when, by whom and how often it was written. */
function bareOf({ metadata: { name, labels: own, annotations = {}, finalizers }, ...rest }: ApiObject): unknown {
  const kept = Object.entries(annotations).filter(([key]) => !key.endsWith('last-applied-configuration'));
  const bare = JSON.stringify({ rest, name, own, kept, finalizers });
  return JSON.parse(
    bare
      .replace(/("(?:lastUpdateTime|lastTransitionTime|startTime)":)"[^"]*"/g, '$1"now"')
      .replace(/("(?:reason|message)":)"[^"]*"/g, '$1"said"')
      .replace(/("clusterIPs?":)(\[[^\]]*\]|"[^"]*")/g, '$1"some"')
      .replace(/("name":"[a-z]+-token-)[a-z0-9]+"/g, '$1some"'),
  );
}

let piped = '';
let complaints = '';
const sessionFor = (sending: Transport): Session => ({
  ...{ program: 'kubectl', names, clock: realClock(), namespace: 'default', memory: new Map() },
  ...{ files: inMemory({}), signal: new AbortController().signal, transport: sending },
  ...{ out: () => undefined, err: (said) => void (complaints += said) },
  input: async () => {
    const given = piped;
    piped = '';
    return given;
  },
});

/** Runs a command line, with the text that follows it. */
async function runLine(line: string, session: Session): Promise<void> {
  const [, command = '', document = ''] = /^(.*?)(?: <<'EOF'\n([^]*)\nEOF)?$/.exec(line) ?? [];
  piped = document;
  complaints = '';
  expect(await run(commands, wordsOf(command.replace(/^kubectl /, '')), session), `${line}\n${complaints}`).toBe(0);
}

describe('the commands that a button tells do what the button does', () => {
  test.each(pressed)('$name', async (each) => {
    const byButton = await outcomeOf(each, async (write) => {
      expect(await perform(write)).toBeDefined();
    });
    const byCommands = await outcomeOf(each, async (write, session) => {
      const told = await commandsOf(write);
      expect(told.length).toBeGreaterThan(0);
      expect(sent, 'to tell them writes nothing').toEqual([]);
      if (each.told) for (const line of told) expect(line).toMatch(each.told);
      else for (const line of told) await runLine(line, session);
    });
    if (!each.told) expect(byCommands).toEqual(byButton);
  });
});

test.each([
  [
    { method: 'GET', path: '/api/v1/pods?limit=2', contentType: '', body: '' },
    "kubectl get --raw '/api/v1/pods?limit=2'",
  ],
  [{ method: 'DELETE', path: '/api/v1/pods/a', contentType: '', body: '' }, 'kubectl delete --raw /api/v1/pods/a'],
  [
    { method: 'POST', path: '/api/v1/pods', contentType: 'application/json', body: '{"a":1}' },
    `kubectl create --raw /api/v1/pods -f - <<'EOF'\n{"a":1}\nEOF`,
  ],
  [
    { method: 'PATCH', path: '/x', contentType: 'application/merge-patch+json', body: `{"a":"it's"}` },
    `curl -X PATCH -H 'Content-Type: application/merge-patch+json' --data-raw '{"a":"it'\\''s"}' /x`,
  ],
  [{ method: 'POST', path: '/x', contentType: 'application/json', body: '' }, 'curl -X POST /x'],
])('a request that somebody writes is told as it is', (sent, command) => {
  expect(requestCommand(sent, 'kubectl')).toBe(command);
});

test('what stands above the commands says whose they are', () => {
  expect(introduction({ label: 'Save' }, 1)).toBe('This command does the same as “Save”.');
  expect(introduction({ label: 'Apply', as: administrator }, 2)).toBe(
    'These commands do the same as “Apply” by administrator: act as that identity first.',
  );
  expect(introduction({ label: 'Apply' }, 0)).toBe('It would change nothing now.');
});

test('each try of a scenario that writes tells its commands', async () => {
  for (const [id, { load }] of Object.entries(scenarios)) {
    const { tries } = await load();
    const writing = tries.filter(({ write }) => write);
    for (const { title, write } of writing) expect(write?.label, `${id}: ${title}`).toBe(title);
  }
});

/** Files that ask the cluster for what a person does, without being a `Write`, and why. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'stores/clients.ts': 'makes the client',
  'stores/writes.ts': 'the way itself',
  'stores/actions.ts': 'the list of actions, whose commands have a test',
  'panels/object/actions/DrainDialog.tsx': 'the list of actions, whose commands have a test',
  'stores/paging.ts': 'reads',
  'panels/access/tokens/issuing.ts': 'asks whose a token is, and writes nothing',
  'panels/shells/session.ts': 'opens a shell, an action of the list',
  'panels/files/FilesTab.tsx': 'reads a file',
  'scenarios/refused.ts': 'reads what is refused',
};

/** Files that send requests past the client. */
const RAW: Readonly<Record<string, string>> = {
  'panels/requests/Console.tsx': 'tells the command of what is typed',
  'panels/requests/again.ts': 'sends once more what somebody sent',
  'panels/terminal/session.ts': 'commands themselves',
  'panels/commands/rehearsal.ts': 'only reads',
  'panels/access/compare/ask.ts': 'asks the same as several people, and only reads',
  'panels/browse/request.ts': 'browses a pod, an action of the list',
};

test('what a person writes goes through a Write, which tells its commands', () => {
  const files = readdirSync('src/ui', { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));
  const sources = files.map((path) => ({ path, code: readFileSync(`src/ui/${path}`, 'utf8') }));
  const using = (pattern: RegExp): string[] =>
    sources.filter(({ code }) => pattern.test(code)).map(({ path }) => path.replaceAll('\\', '/'));
  expect(using(/\btheClient\(/).sort()).toEqual(Object.keys(OTHERWISE).sort());
  const raw = using(/transportAs\(/).filter((path) => !path.startsWith('stores/'));
  expect(raw.sort()).toEqual(Object.keys(RAW).sort());
  // Whoever performs a write shows its commands.
  const performing = using(/\bperform\(/).filter((path) => path !== 'stores/writes.ts');
  const telling = using(/<(CommandsButton|WritesDialog)\b/);
  expect(performing.filter((path) => !telling.includes(path)).sort()).toEqual([
    // Shown by RequestForm, by TryThis, by the list of actions, and in the editor of a webhook by a WriteButton.
    'panels/access/certificates/signing.ts',
    'panels/object/actions/changes.ts',
    'panels/object/actions/list.ts',
    'panels/webhooks/WebhookDetail.tsx',
    'scenarios/scenario.ts',
  ]);
});
