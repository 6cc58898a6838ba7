/** A webhook that is written as soon as its cluster is open: what it needs may come a moment later. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from '../../src/client/index.ts';
import type { Cluster } from '../../src/cluster/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { must } from '../../src/std/index.ts';
import { exampleWriting } from '../../src/ui/panels/webhooks/actions.ts';
import { examples } from '../../src/ui/panels/webhooks/examples.ts';
import { loadResources } from '../../src/ui/stores/resources.ts';
import { asTransport, clusterFor, openInPage } from './transport.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const names = namesOf('k8s.io');
let cluster: Cluster;
beforeAll(async () => (cluster = await clusterFor('k8s.io')));
afterAll(() => cluster.stop());

test('a webhook waits for the authority of the cluster to be published', async () => {
  const answers: number[] = [];
  /** Publishes the authority right after it was asked for in vain. */
  const late = async (asked: Request): Promise<Response> => {
    const answer = await cluster.fetch(asked.clone());
    if (new URL(asked.url).pathname !== `${MAPS}/kube-root-ca.crt`) return answer;
    answers.push(answer.status);
    const body = JSON.stringify({ metadata: { name: 'kube-root-ca.crt' }, data: { 'ca.crt': 'PEM' } });
    const headers = { ...Object.fromEntries(asked.headers), 'content-type': 'application/json' };
    if (answer.status === 404)
      await cluster.fetch(new Request(new URL(MAPS, asked.url), { method: 'POST', headers, body }));
    return answer;
  };
  const slow = { ...cluster, fetch: late } as Cluster;
  const client = new Client({ transport: asTransport(slow), names, userAgent: 'test' });
  openInPage(slow, 'k8s.io');
  await loadResources(client);
  const example = must(
    examples.find(({ askedBy }) => askedBy === 'conversion'),
    'there is an example',
  );
  await exampleWriting(example, 'default').send(client);
  expect(answers).toEqual([404, 200]);
  const definition = await client.json(
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/beds.garden.example.com',
  );
  expect(definition).toMatchObject({ spec: { conversion: { webhook: { clientConfig: { caBundle: btoa('PEM') } } } } });
});
