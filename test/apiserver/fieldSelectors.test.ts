/** Which fields each kind selects by, beyond its name and namespace. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { recordedOptions, tokens } from '../conformance/scenarios.ts';

let cluster: Cluster;
beforeAll(async () => (cluster = await createCluster(recordedOptions('cluster.io'))));
afterAll(() => cluster.stop());

const POD = ['nodeName', 'restartPolicy', 'schedulerName', 'serviceAccountName', 'host'].map((name) => `spec.${name}`);
const POD_STATUS = ['phase', 'podIP', 'podIPs', 'nominatedNodeName'].map((name) => `status.${name}`);

it.each<[string, readonly string[], readonly string[]]>([
  ['/api/v1/pods', [...POD, ...POD_STATUS], ['spec.hostNetwork', 'status.hostIP']],
  ['/api/v1/namespaces', ['status.phase'], ['name', 'metadata.namespace']],
  ['/api/v1/nodes', ['spec.unschedulable'], ['metadata.namespace']],
  ['/api/v1/secrets', ['type'], ['data']],
  ['/api/v1/replicationcontrollers', ['status.replicas'], ['spec.replicas']],
  ['/api/v1/configmaps', ['metadata.namespace'], ['data', 'metadata.uid']],
  ['/api/v1/events', ['involvedObject.name', 'reason', 'source', 'type', 'reportingComponent'], ['regarding.name']],
  ['/apis/events.cluster.io/v1/events', ['regarding.name', 'reportingController'], ['involvedObject.name']],
  ['/apis/apps/v1/statefulsets', ['metadata.namespace'], ['status.successful']],
  ['/apis/apps/v1/replicasets', ['metadata.namespace'], ['status.replicas']],
  ['/apis/batch/v1/jobs', ['status.successful'], ['status.succeeded']],
  ['/apis/batch/v1beta1/cronjobs', ['status.successful'], ['spec.suspend']],
  ['/apis/certificates.cluster.io/v1/certificatesigningrequests', ['spec.signerName'], ['metadata.namespace']],
])('%s', async (path, known, unknown) => {
  const status = async (field: string): Promise<[string, number]> => {
    const url = `http://fields.test${path}?fieldSelector=${encodeURIComponent(`${field}=x`)}`;
    const response = await cluster.fetch(new Request(url, { headers: { authorization: `Bearer ${tokens.admin}` } }));
    return [field, response.status];
  };
  expect(await Promise.all(known.map(status))).toEqual(known.map((field) => [field, 200]));
  expect(await Promise.all(unknown.map(status))).toEqual(unknown.map((field) => [field, 400]));
});

it.each<[string, string]>([
  ['/api/v1/pods', 'field label not supported: x'],
  ['/api/v1/services', '"x" is not a known field selector: only "metadata.name", "metadata.namespace"'],
  ['/apis/apps/v1/statefulsets', '"x" is not a known field selector: only "metadata.name", "metadata.namespace"'],
  ['/apis/batch/v1/jobs', 'field label "x" not supported for batchv1.Job'],
  ['/apis/batch/v1beta1/cronjobs', 'field label "x" not supported for "CronJob"'],
])('%s names another field: %s', async (path, message) => {
  const request = new Request(`http://fields.test${path}?fieldSelector=x=1`, {
    headers: { authorization: `Bearer ${tokens.admin}` },
  });
  expect(await (await cluster.fetch(request)).json()).toMatchObject({ code: 400, message });
});
