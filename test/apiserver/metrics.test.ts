import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { asRoot } from './flowCluster.ts';

const TYPES = ['counter', 'gauge', 'histogram'];
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\]|\\.)*",?)*)\})? (\S+)$/;

interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: Map<string, number>;
}

/** Reads the text form as a collector does; throws where it is not of that form. */
function parse(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  let current: Family | undefined;
  let name = '';
  for (const line of text.trimEnd().split('\n')) {
    const head = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (head?.[1] === 'HELP') {
      if (families.has(head[2] ?? '')) throw new Error(`${head[2]} comes twice`);
      name = head[2] ?? '';
      families.set(name, (current = { type: '', help: head[3] ?? '', samples: new Map() }));
    } else if (head) families.set(name, (current = { ...(current as Family), type: head[3] ?? '' }));
    else {
      const [, sample = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
      if (!sample.startsWith(name) || !current) throw new Error(`${line} is out of place`);
      const key = `${sample}{${labels}}`;
      if (current.samples.has(key)) throw new Error(`${key} comes twice`);
      current.samples.set(key, Number(value.replace('+Inf', 'Infinity')));
    }
  }
  return families;
}

let cluster: Cluster;
const read = async (): Promise<Map<string, Family>> => parse((await asRoot(cluster, 'GET', '/metrics')) as string);

/** The sum of all samples of a family whose labels hold all these texts. */
function sum(families: Map<string, Family>, name: string, ...labels: string[]): number {
  const family = [...families].find(([key]) => name === key || name.replace(/_(sum|count|bucket)$/, '') === key)?.[1];
  return [...(family?.samples ?? [])]
    .filter(([key]) => key.startsWith(`${name}{`) && labels.every((label) => key.includes(label)))
    .reduce((total, [, value]) => total + value, 0);
}

beforeAll(async () => {
  cluster = await createCluster({
    name: 'metrics',
    naming: 'k8s.io',
    clock: 'manual',
    nodes: 1,
    seed: 'metrics',
    apiserver: ['--token-auth-file=tokens.csv', '--authorization-mode=Node,RBAC'],
    controllerManager: ['--use-service-account-credentials=true'],
    files: { 'tokens.csv': 'root,root,root,"system:masters"\n' },
  });
  const containers = [{ name: 'c', image: 'nginx' }];
  const labels = { app: 'web' };
  await asRoot(cluster, 'POST', '/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'web' },
    spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  });
  for (let turn = 0; turn < 500; turn++) {
    const { status } = (await asRoot(cluster, 'GET', '/apis/apps/v1/namespaces/default/deployments/web')) as {
      status: { readyReplicas?: number };
    };
    if (status.readyReplicas === 2) return;
    await cluster.clock.step(200);
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('the deployment does not get ready');
});
afterAll(() => cluster.stop());

describe('/metrics', () => {
  test('is valid Prometheus text: each family once with help and type, each series once', async () => {
    const families = await read();
    expect(families.size).toBeGreaterThan(45);
    for (const [name, { type, help }] of families) {
      expect([name, TYPES.includes(type)]).toEqual([name, true]);
      expect([name, help.endsWith('.')]).toEqual([name, true]);
    }
  });

  test('histogram buckets increase up to the count', async () => {
    for (const [name, { type, samples }] of await read()) {
      if (type !== 'histogram') continue;
      let before = 0;
      for (const [key, value] of samples) {
        if (!key.startsWith(`${name}_bucket`)) continue;
        expect([key, value >= before]).toEqual([key, true]);
        before = key.includes('le="+Inf"') ? 0 : value;
      }
    }
  });

  test.each([
    'apiserver_request_total',
    'apiserver_request_duration_seconds',
    'apiserver_response_sizes',
    'apiserver_longrunning_gauge',
    'apiserver_registered_watchers',
    'apiserver_watch_events_total',
    'apiserver_watch_events_sizes',
    'apiserver_current_inflight_requests',
    'apiserver_current_inqueue_requests',
    'apiserver_selfrequest_total',
    'apiserver_flowcontrol_dispatched_requests_total',
    'apiserver_flowcontrol_request_concurrency_limit',
    'apiserver_flowcontrol_request_wait_duration_seconds',
    'apiserver_flowcontrol_request_execution_seconds',
    'apiserver_flowcontrol_request_queue_length_after_enqueue',
    'apiserver_admission_controller_admission_duration_seconds',
    'apiserver_admission_step_admission_duration_seconds',
    'apiserver_audit_event_total',
    'apiserver_client_certificate_expiration_seconds',
    'authentication_attempts',
    'authentication_duration_seconds',
    'authenticated_user_requests',
    'etcd_request_duration_seconds',
    'etcd_object_counts',
    'etcd_db_total_size_in_bytes',
    'workqueue_adds_total',
    'workqueue_depth',
    'workqueue_queue_duration_seconds',
    'workqueue_work_duration_seconds',
    'workqueue_retries_total',
    'scheduler_schedule_attempts_total',
    'scheduler_e2e_scheduling_duration_seconds',
    'scheduler_pending_pods',
    'scheduler_queue_incoming_pods_total',
    'process_start_time_seconds',
    'kubernetes_build_info',
  ])('has %s', async (name) => expect((await read()).has(name)).toBe(true));

  test('counts requests', async () => {
    const families = await read();
    const deployments = ['group="apps"', 'resource="deployments"', 'subresource=""'];
    expect(
      sum(families, 'apiserver_request_total', 'verb="POST"', 'code="201"', 'scope="resource"', ...deployments),
    ).toBe(1);
    expect(sum(families, 'apiserver_request_duration_seconds_count', 'verb="GET"', ...deployments)).toBeGreaterThan(0);
    expect(
      sum(families, 'scheduler_schedule_attempts_total', 'result="scheduled"', 'profile="default-scheduler"'),
    ).toBe(2);
    expect(sum(families, 'scheduler_queue_incoming_pods_total', 'queue="active"', 'event="PodAdd"')).toBe(2);
    expect(sum(families, 'scheduler_pod_scheduling_attempts_count')).toBe(2);
    expect(sum(families, 'workqueue_adds_total', 'name="deployment"')).toBeGreaterThan(0);
    expect(sum(families, 'etcd_object_counts', 'resource="deployments.apps"')).toBe(1);
    expect(sum(families, 'etcd_object_counts', 'resource="pods"')).toBe(2);
    expect(sum(families, 'etcd_request_duration_seconds_count', 'operation="create"', 'type="Pod"')).toBe(2);
    expect(
      sum(
        families,
        'apiserver_admission_controller_admission_duration_seconds_count',
        'name="ServiceAccount"',
        'operation="CREATE"',
      ),
    ).toBeGreaterThan(1);
    expect(sum(families, 'authentication_attempts', 'result="success"')).toBeGreaterThan(1);
    expect(sum(families, 'kubernetes_build_info', 'git_version="v1.20.2"')).toBe(1);
  });

  test('invented paths add no series', async () => {
    const before = (await read()).get('apiserver_request_total')?.samples.size ?? 0;
    for (const path of ['/apis/made.up/v1/things', '/api/v1/namespaces/a/wings/b', '/nowhere', '/api/v1/pods/x/y'])
      await cluster.fetch(new Request(`http://cluster.local${path}`, { headers: { authorization: 'Bearer root' } }));
    expect((await read()).get('apiserver_request_total')?.samples.size ?? 0).toBeLessThanOrEqual(before + 1);
  });

  test('deprecated versions are marked when used', async () => {
    const used = await cluster.fetch(
      new Request('http://cluster.local/apis/extensions/v1beta1/ingresses', {
        headers: { authorization: 'Bearer root' },
      }),
    );
    expect(used.headers.get('warning')).toBe(
      '299 - "extensions/v1beta1 Ingress is deprecated in v1.14+, unavailable in v1.22+; use networking.k8s.io/v1 Ingress"',
    );
    const samples = (await read()).get('apiserver_requested_deprecated_apis')?.samples;
    expect([...(samples ?? [])]).toContainEqual([
      'apiserver_requested_deprecated_apis{group="extensions",version="v1beta1",resource="ingresses",subresource="",removed_release="1.22"}',
      1,
    ]);
  });

  test('a watch is counted while it is open', async () => {
    const path = '/apis/storage.k8s.io/v1/volumeattachments?watch=1';
    const open = async (): Promise<number> =>
      sum(await read(), 'apiserver_registered_watchers', 'kind="VolumeAttachment"');
    const before = await open();
    const watch = await cluster.fetch(
      new Request(`http://cluster.local${path}`, { headers: { authorization: 'Bearer root' } }),
    );
    expect(await open()).toBe(before + 1);
    await watch.body?.cancel();
    expect(await open()).toBe(before);
  });

  test('the stages of a request are timed', async () => {
    const stages = ['authentication', 'audit', 'impersonation', 'priorityandfairness', 'authorization'];
    const name = 'apiserver_request_filter_duration_seconds_count';
    const before = await read();
    await asRoot(cluster, 'GET', '/api/v1/namespaces');
    const after = await read();
    for (const stage of stages) {
      const passed = sum(after, name, `filter="${stage}"`) - sum(before, name, `filter="${stage}"`);
      expect([stage, passed]).toEqual([stage, expect.toSatisfy((count: number) => count >= 1)]);
    }
  });

  test('unavailable API services are counted', async () => {
    const before = sum(await read(), 'aggregator_unavailable_apiservice');
    await asRoot(cluster, 'POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: 'v1.elsewhere.example.com' },
      spec: {
        ...{ group: 'elsewhere.example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
        service: { namespace: 'default', name: 'elsewhere' },
      },
    });
    const families = await read();
    expect(sum(families, 'aggregator_unavailable_apiservice', 'v1.elsewhere.example.com')).toBe(1);
    expect(sum(families, 'aggregator_unavailable_apiservice')).toBe(before + 1);
    await asRoot(cluster, 'DELETE', '/apis/apiregistration.k8s.io/v1/apiservices/v1.elsewhere.example.com');
  });

  test('a DELETE resets everything but gauges', async () => {
    const before = await read();
    expect(await asRoot(cluster, 'DELETE', '/metrics')).toBe('metrics reset\n');
    const after = await read();
    expect(sum(before, 'apiserver_request_total')).toBeGreaterThan(100);
    expect(sum(after, 'apiserver_request_total')).toBeLessThan(20);
    expect(sum(after, 'etcd_object_counts')).toBe(sum(before, 'etcd_object_counts'));
  });

  test('users without permission can’t read it', async () => {
    const response = await cluster.fetch(new Request('http://cluster.local/metrics'));
    expect(response.status).toBe(403);
    const families = await read();
    expect(sum(families, 'authenticated_user_requests')).toBeGreaterThan(0);
  });
});
