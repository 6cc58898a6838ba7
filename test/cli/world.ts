/** The cluster that command lines are compared on: a handful of objects whose names and states do not depend on chance. */
import type { Cluster, ClusterOptions } from '../../src/cluster/index.ts';
import type { Ended, Family } from './family.ts';
import { createAll } from './manifests.ts';

export const TOKEN = 'secret';

/** The cluster of a family; without one, that of the families that only read. */
export const clusterOptions = ({ apiserver = [] }: Pick<Family, 'apiserver'> = {}): ClusterOptions => ({
  ...({ name: 'cli', naming: 'k8s.io', nodes: 2, seed: 1 } as const),
  // A wide range: an address that an object names is hardly ever given to another one before.
  apiserver: ['--token-auth-file=tokens.csv', '--service-cluster-ip-range=10.0.0.0/16', ...apiserver],
  files: { 'tokens.csv': `${TOKEN},admin,admin,system:masters\n` },
});

type Manifest = Readonly<Record<string, unknown>> & { readonly kind: string };

const pod = (name: string, image: string, labels: Readonly<Record<string, string>>): Manifest => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels } },
  spec: { nodeName: 'node-1', containers: [{ name: 'main', image, ports: [{ containerPort: 80 }] }] },
});

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx:1.19' }] } };

const objects: readonly (readonly [path: string, object: Manifest])[] = [
  ['/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }],
  ['/api/v1/namespaces/default/pods', pod('web-1', 'nginx:1.19', { app: 'web', tier: 'front' })],
  ['/api/v1/namespaces/default/pods', pod('web-10', 'nginx:1.19', { app: 'web' })],
  ['/api/v1/namespaces/default/pods', pod('web-2', 'redis', { app: 'cache' })],
  [
    '/api/v1/namespaces/default/configmaps',
    {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', annotations: { note: 'a: b #c' } } },
      data: {
        ...{ plain: 'text', number: '12', yes: 'yes', empty: '', null: 'null', date: '2020-01-01', float: '1e3' },
        ...{
          lines: 'one\ntwo\n',
          open: 'one\ntwo',
          tail: 'one\n\n',
          indented: '  one\ntwo\n',
          'file10.txt': 'x',
          'file9.txt': 'y',
        },
        ...{ special: 'tab\there', quote: "it's", colon: 'a: b', hash: 'a #b', star: '*a', dash: '- a', space: ' a' },
        ...{
          html: '<a href="x">&</a>',
          unicode: 'grüße 🎉',
          long: 'word '.repeat(40).trim(),
          base60: '12:30',
          octal: '0o7',
        },
      },
    },
  ],
  [
    '/api/v1/namespaces/default/secrets',
    { ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'password' } }, data: { password: 'aHVudGVyMg==' } },
  ],
  [
    '/api/v1/namespaces/default/services',
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } },
      spec: { clusterIP: '10.0.0.100', selector: { app: 'web' }, ports: [{ port: 80 }] },
    },
  ],
  [
    '/apis/apps/v1/namespaces/default/deployments',
    {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'web', set: 'yes' } },
        template: { ...template, metadata: { labels: { app: 'web', set: 'yes' } } },
      },
    },
  ],
  [
    '/apis/batch/v1beta1/namespaces/default/cronjobs',
    {
      ...{ apiVersion: 'batch/v1beta1', kind: 'CronJob', metadata: { name: 'nightly' } },
      spec: {
        ...{ schedule: '0 3 * * *', suspend: true },
        jobTemplate: {
          spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] } } },
        },
      },
    },
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
    {
      ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'reader' } },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }],
    },
  ],
];

/** Fills a cluster; resolves when its pods and its deployment are ready. `more` is YAML of objects that are made after that. */
export async function fill(cluster: Cluster, more = ''): Promise<void> {
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${TOKEN}`);
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    return cluster.fetch(new Request(`http://cluster${path}`, { ...init, headers }));
  };
  for (const [path, object] of objects) {
    const body = JSON.stringify(object);
    // The service account of a new namespace takes a moment.
    await until(path, async () => (await send(path, { method: 'POST', body })).status < 300);
  }
  await until(
    'pods and deployments',
    async () => (await isReady(send, '/api/v1/namespaces/default/pods')) && isReady(send, '/apis/apps/v1/deployments'),
  );
  if (more !== '') await createAll(more, (path, init) => send(path, init), until);
}

/** Whether each object of a list has a condition that says so: a pod's `Ready`, a deployment's `Available` and `Progressing`. */
async function isReady(send: (path: string) => Promise<Response>, path: string): Promise<boolean> {
  const { items } = (await (await send(path)).json()) as {
    readonly items: readonly { readonly status: { readonly conditions?: readonly { readonly status: string }[] } }[];
  };
  return items.every(
    ({ status: { conditions = [] } }) => conditions.length > 1 && conditions.every(({ status }) => status === 'True'),
  );
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let left = 1200; left > 0; left--) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${what}: the cluster does not get ready`);
}

export const maskedEnd = ({ out, err, code }: Ended): Ended => ({ out: masked(out), err: masked(err), code });

/** The output without what differs from run to run: times, ages, identities, revisions, random names and addresses. */
function masked(output: string): string {
  return (
    output
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
      .replace(/(LIVE|MERGED)-\d+/g, '$1-N')
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4}/g, 'TIME')
      .replace(/https:\/\/127\.0\.0\.1:\d+/g, 'SERVER')
      .replace(/\b[0-9a-f]{32}\b/g, 'MACHINE')
      .replace(/(pulled image .* in )[\d.]+m?s/g, '$1AGE')
      .replace(/simulation:\/\/[0-9a-f]{64}/g, 'CONTAINER')
      .replace(/default-token-[a-z0-9]{5}/g, 'SECRET')
      .replace(/(?<=[a-z0-9]-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, 'RANDOM')
      .replace(/\b10\.(\d+\.){2}\d+\b */g, 'IP ')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME')
      .replace(/(resource version to be \d+, was )\d+/, '$1N')
      .replace(/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, 'TIME')
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} \w+/g, 'TIME')
      .replace(/((?:Resource Version|resourceVersion)["']?: *["']?)\d+/g, '$1N')
      .replace(/(?<!~)\b(\d+y)?(\d+d)?(\d+h)?(\d+m)?\d+[smhdy]\b */g, 'AGE ')
      .replace(/AGE (\d+% +)?\d+Mi( +\d+%)?/g, 'USAGE')
      .replace(/AGE {2,}(?=\S)/g, 'AGE ')
      // How often an event came, and with it the width of its column, depend on the moment.
      .replace(/AGE \(x\d+ over AGE ?\) */g, 'AGE ')
      .replace(/^( +Type +Reason +Age| +-+ +-+ +-+) +/gm, '$1 ')
      .replace(/[ \t]+$/gm, '')
  );
}
