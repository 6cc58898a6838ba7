/** An apply that another writer overtakes, as a controller does that writes a status. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client, discover, type Transport } from '../../src/client/index.ts';
import type { Cluster } from '../../src/cluster/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { applyManifests, type ApplyWay, type Outcome } from '../../src/ui/editor/apply.ts';
import { readManifests } from '../../src/ui/editor/documents.ts';
import { asTransport, clusterFor, openInPage } from './transport.ts';

const names = namesOf('k8s.io');
const deployment = (extra = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default${extra}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: 'nginx:1.19'}]}
`;

let cluster: Cluster;
let asAdministrator: Transport;

beforeAll(async () => {
  cluster = await clusterFor('k8s.io');
  openInPage(cluster, 'k8s.io');
  asAdministrator = asTransport(cluster);
  const [first] = await apply(asAdministrator, deployment(), 'merge');
  expect(first).toMatchObject({ did: 'created' });
});

afterAll(() => cluster.stop());

let writes = 0;

async function writeStatus(): Promise<void> {
  await asAdministrator('/apis/apps/v1/namespaces/default/deployments/web/status', {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ status: { observedGeneration: ++writes } }),
  });
}

/** Writes the Deployment's status after each of the first `times` reads of it. */
function overtakes(times: number): Transport {
  let left = times;
  return async (path, init) => {
    const response = await asAdministrator(path, init);
    if (path.endsWith('/deployments/web') && (init?.method ?? 'GET') === 'GET' && left-- > 0) await writeStatus();
    return response;
  };
}

async function apply(transport: Transport, text: string, way: ApplyWay): Promise<readonly Outcome[]> {
  const client = new Client({ transport, names });
  const { resources } = await discover(client);
  const served = { versions: () => resources, reload: () => Promise.resolve() };
  const options = { way, force: false, dryRun: false, namespace: 'default' };
  return applyManifests(client, served, readManifests(text), options, () => Promise.resolve());
}

it.each([
  ['merge', 'unchanged'],
  // The annotation of the last apply is not in the text.
  ['replace', 'changed'],
  // It changes nothing of its own: what the other writer changed in between does not count.
  ['serverSide', 'unchanged'],
] as const)('reads the object again and succeeds, by %s', async (way, did) => {
  if (way === 'serverSide') await apply(asAdministrator, deployment(), way);
  const [outcome] = await apply(overtakes(4), deployment(), way);
  expect(outcome).toMatchObject({ did });
});

it('gives up after five reads', async () => {
  const [outcome] = await apply(overtakes(5), deployment(), 'merge');
  expect(outcome).toMatchObject({ did: 'failed', status: { code: 409, reason: 'Conflict' } });
});

it('is refused at once where the manifest names the revision that it was made from', async () => {
  const [outcome] = await apply(overtakes(1), deployment(', resourceVersion: "1"'), 'merge');
  expect(outcome).toMatchObject({ did: 'failed', status: { code: 409 } });
});

it('applies server-side without a revision after five reads', async () => {
  const [outcome] = await apply(overtakes(5), deployment(), 'serverSide');
  expect(outcome).toMatchObject({ did: 'changed' });
});
