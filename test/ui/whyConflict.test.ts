/** The answer to "why 409?": what is said, what proves it, and the write that is offered. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Client, discover, type Transport } from '../../src/client/index.ts';
import type { Cluster } from '../../src/cluster/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { StatusError, type ApiObject } from '../../src/schema/index.ts';
import { readHistory } from '../../src/ui/stores/history.ts';
import type { OpenedRequest } from '../../src/ui/stores/requests.ts';
import type { ObjectRef } from '../../src/ui/stores/resources.ts';
import { changeText } from '../../src/ui/panels/watch/changes.ts';
import { conflictOf, writesAfter } from '../../src/ui/panels/requests/why/conflict.ts';
import { retryOf, sentenceOf, type Case, type Retry } from '../../src/ui/panels/requests/why/conflictAnswer.ts';
import { asTransport, clusterFor, openInPage } from './transport.ts';

const names = namesOf('k8s.io');
let cluster: Cluster;
let client: Client;
let target: ObjectRef;

const MANIFEST = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 1,
    paused: true,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx:1.19' }] },
    },
  },
};

beforeEach(async () => {
  cluster = await clusterFor('k8s.io');
  openInPage(cluster, 'k8s.io');
  client = new Client({ transport: asTransport(cluster), names });
  const { resources } = await discover(client);
  const resource = resources.find(({ kind }) => kind === 'Deployment');
  if (!resource) throw new Error('no Deployments are served');
  target = { resource, namespace: 'default', name: 'web' };
  await client.of(resource).create(MANIFEST, { namespace: 'default' });
});

afterEach(() => cluster.stop());

const read = (): Promise<ApiObject> => client.of(target.resource).get('web', 'default');

const scale = (replicas: number): Promise<ApiObject> =>
  client
    .of(target.resource)
    .patch({ metadata: { name: 'web', namespace: 'default' } }, 'merge', { spec: { replicas } });

/** Sends a request, and returns it as the log would have it. */
async function logged(method: string, url: string, body: unknown, contentType = 'application/json') {
  const transport: Transport = asTransport(cluster);
  const text = JSON.stringify(body);
  const response = await transport(url, { method, headers: { 'content-type': contentType }, body: text });
  const answer = await response.text();
  const body_ = (of: 'request' | 'answer', said: string, type: string) => ({
    ...{ topic: 'body' as const, request: 'r', at: 0, of, contentType: type, bytes: said.length, text: said },
  });
  const request = {
    ...{ id: 'r', at: 0, method, url, verb: '', sender: 'person', user: 'administrator', line: '' },
    ...{ status: response.status, ms: 1, revision: undefined, stages: [] },
    bodies: [body_('request', text, contentType), body_('answer', answer, 'application/json')],
  } satisfies OpenedRequest;
  return request;
}

const PATH = '/apis/apps/v1/namespaces/default/deployments/web';

async function caseOf(request: OpenedRequest): Promise<Case> {
  const conflict = conflictOf(request);
  if (!conflict) throw new Error(`no conflict: ${request.status}`);
  return { request, conflict, target, kind: 'Deployment', states: await readHistory(client, target, 0) };
}

const offered = (given: Case): Retry => {
  const retry = retryOf(given);
  if (!retry) throw new Error('nothing is offered');
  return retry;
};

it('names the writes since the revision that an update expects, and makes only the change that was meant', async () => {
  const before = await read();
  await scale(3);
  const labelled = { ...before, metadata: { ...before.metadata, labels: { team: 'a' } } };
  const given = await caseOf(await logged('PUT', PATH, labelled));
  const now = await read();
  expect(sentenceOf(given)).toBe(
    `The request is based on revision ${before.metadata.resourceVersion} of Deployment default/web. The object was written after that and is at revision ${now.metadata.resourceVersion}.`,
  );
  const writes = writesAfter(given.states, before.metadata.resourceVersion ?? '');
  expect(writes.flatMap(({ changes }) => changes.map(changeText))).toContain('spec.replicas 1 → 3');
  const { write, overwrites } = offered(given);
  expect(overwrites).toEqual([]);
  await write.send(client);
  expect(await read()).toMatchObject({ metadata: { labels: { team: 'a' } }, spec: { replicas: 3 } });
});

it('says what of others the same change overwrites', async () => {
  const before = await read();
  await scale(3);
  const scaled = { ...before, spec: { ...MANIFEST.spec, replicas: 5 } } as ApiObject;
  const { write, overwrites } = offered(await caseOf(await logged('PUT', PATH, scaled)));
  expect(overwrites.map(changeText)).toEqual(['spec.replicas 3 → 5']);
  await write.send(client);
  expect(await read()).toMatchObject({ spec: { replicas: 5 } });
});

it('the retry of a patch leaves out the expected revision', async () => {
  const before = await read();
  await scale(3);
  const patch = { metadata: { resourceVersion: before.metadata.resourceVersion, labels: { team: 'a' } } };
  const { write } = offered(await caseOf(await logged('PATCH', PATH, patch, 'application/merge-patch+json')));
  await write.send(client);
  expect(await read()).toMatchObject({ metadata: { labels: { team: 'a' } }, spec: { replicas: 3 } });
});

it('deletes the revision that is there now', async () => {
  const before = await read();
  await scale(3);
  const options = { preconditions: { resourceVersion: before.metadata.resourceVersion } };
  const { write } = offered(await caseOf(await logged('DELETE', PATH, options)));
  await write.send(client);
  await expect(read()).rejects.toThrow(StatusError);
});

it('names the owners of fields, and applies with force', async () => {
  await scale(3);
  const { metadata, apiVersion, kind } = MANIFEST;
  const url = `${PATH}?fieldManager=me`;
  const wanted = { apiVersion, kind, metadata, spec: { replicas: 7 } };
  const given = await caseOf(await logged('PATCH', url, wanted, 'application/apply-patch+yaml'));
  expect(given.conflict).toMatchObject({ is: 'owned', fields: [{ field: '.spec.replicas' }] });
  expect(sentenceOf(given)).toMatch(
    /^Another manager owns a field of Deployment default\/web that the request changes/,
  );
  await offered(given).write.send(client);
  expect(await read()).toMatchObject({ spec: { replicas: 7 } });
});

it('says that an object exists already, and offers no write', async () => {
  const given = await caseOf(await logged('POST', '/apis/apps/v1/namespaces/default/deployments', MANIFEST));
  expect(sentenceOf(given)).toBe('Deployment default/web exists already. A create never changes an existing object.');
  expect(retryOf(given)).toBeUndefined();
});
