import type { Cluster } from '../../../src/cluster/index.ts';
import { clusterOptions, headers } from '../objects.ts';
import type { Measured, Row } from '../row.ts';
import { byTurns, concurrently, perSecond, rate, timed } from '../row.ts';
import { onCluster } from './onCluster.ts';

const server = 'http://bench.local';
const COUNT = 300;
const IN_FLIGHT = 50;

/** An object that is some 2 KB as it is stored. */
interface Subject {
  readonly kind: string;
  readonly path: string;
  object(name: string): object;
}

const container = {
  name: 'main',
  image: 'nginx:1.19',
  ports: [{ containerPort: 80 }],
  env: [{ name: 'A', value: 'b' }],
  resources: { requests: { cpu: '100m', memory: '64Mi' } },
};
const metadata = (name: string): object => ({ name, labels: { app: 'bench' }, annotations: { note: 'x'.repeat(300) } });

const subjects: readonly Subject[] = [
  {
    kind: 'Deployment',
    path: '/apis/apps/v1/namespaces/default/deployments',
    object: (name) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: metadata(name),
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'bench' } },
        template: { metadata: { labels: { app: 'bench' } }, spec: { containers: [container] } },
      },
    }),
  },
  {
    kind: 'Pod',
    path: '/api/v1/namespaces/default/pods',
    object: (name) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: metadata(name),
      spec: { schedulerName: 'nobody', containers: [container] },
    }),
  },
];

async function send(
  cluster: Cluster,
  path: string,
  method: string,
  body: string,
  contentType: string,
): Promise<string> {
  const init = { method, body, headers: { ...headers, 'content-type': contentType } };
  const response = await cluster.fetch(new Request(server + path, init));
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text;
}

const JSON_TYPE = 'application/json';

/** One way to write: what has to be there before a round, and the write. */
type Way = (cluster: Cluster, subject: Subject, name: string, round: number, stored: Stored) => Promise<unknown>;

/** An object as the server has it. */
interface Stored {
  readonly metadata: { readonly resourceVersion?: string; readonly uid?: string };
}

const ways: Readonly<Record<string, { readonly exists: boolean; readonly write: Way }>> = {
  create: {
    exists: false,
    write: (cluster, { path, object }, name) => send(cluster, path, 'POST', JSON.stringify(object(name)), JSON_TYPE),
  },
  update: {
    exists: true,
    write: (cluster, { path }, name, round, stored) => {
      const { resourceVersion: _version, uid: _uid, ...known } = stored.metadata;
      const body = { ...stored, metadata: { ...known, name, labels: { app: 'bench', round: `r${round}` } } };
      return send(cluster, `${path}/${name}`, 'PUT', JSON.stringify(body), JSON_TYPE);
    },
  },
  patch: {
    exists: true,
    write: (cluster, { path }, name, round) => {
      const body = JSON.stringify({ metadata: { labels: { round: `r${round}` } } });
      return send(cluster, `${path}/${name}`, 'PATCH', body, 'application/strategic-merge-patch+json');
    },
  },
  apply: {
    exists: true,
    write: (cluster, { path, object }, name, round) => {
      const body = { ...object(name), metadata: { ...metadata(name), labels: { app: 'bench', round: `r${round}` } } };
      const to = `${path}/${name}?fieldManager=bench&force=true`;
      return send(cluster, to, 'PATCH', JSON.stringify(body), 'application/apply-patch+yaml');
    },
  },
};

async function measure(cluster: Cluster, subject: Subject, way: string): Promise<Measured> {
  const { exists, write } = ways[way] as (typeof ways)[string];
  const { write: create } = ways['create'] as (typeof ways)[string];
  const nothing: Stored = { metadata: {} };
  if (exists) await concurrently(COUNT, IN_FLIGHT, (i) => create(cluster, subject, `w${i}`, 0, nothing));
  const text = (await create(cluster, subject, 'sample', 0, nothing)) as string;
  const stored = JSON.parse(text) as Stored;
  const name = (round: number, i: number): string => (exists ? `w${i}` : `c${round}-${i}`);
  let round = 0;
  const measured = await byTurns(
    async () => {
      round++;
      const one = (i: number): Promise<unknown> => write(cluster, subject, name(round, i), round, stored);
      return rate(COUNT, await timed(() => concurrently(COUNT, IN_FLIGHT, one)));
    },
    async () => rate(COUNT, await timed(() => parseAndWrite(text))),
  );
  return {
    subject: perSecond(measured.subject, 'writes'),
    reference: perSecond(measured.reference, 'times parsed and written as JSON'),
    ratio: measured.reference / measured.subject,
  };
}

async function parseAndWrite(text: string): Promise<void> {
  for (let i = 0; i < COUNT; i++) JSON.stringify(JSON.parse(text));
}

const rowOf = (subject: Subject, way: string): Row => ({
  name: `${way} of a ${subject.kind} of 2 KB`,
  aim: 'none: how many times JSON.parse and JSON.stringify of it',
  run: () => onCluster((cluster) => measure(cluster, subject, way)),
});

/** How many pods are created in a second. */
async function creates(cluster: Cluster, prefix: string): Promise<number> {
  const pod = subjects[1] as Subject;
  const create = (i: number): Promise<unknown> =>
    send(cluster, pod.path, 'POST', JSON.stringify(pod.object(`${prefix}-${i}`)), JSON_TYPE);
  return rate(COUNT, await timed(() => concurrently(COUNT, IN_FLIGHT, create)));
}

/** Two clusters that differ in one thing, by turns; `count` tells rounds apart. */
async function against(subject: Cluster, reference: Cluster): Promise<{ subject: number; reference: number }> {
  let count = 0;
  return byTurns(
    () => creates(subject, `a${count++}`),
    () => creates(reference, `b${count++}`),
    9,
  );
}

const withoutAdmission = {
  ...clusterOptions,
  apiserver: [
    ...clusterOptions.apiserver,
    `--disable-admission-plugins=${[
      ...['NamespaceLifecycle', 'LimitRanger', 'ServiceAccount', 'TaintNodesByCondition', 'Priority'],
      ...['DefaultTolerationSeconds', 'DefaultStorageClass', 'StorageObjectInUseProtection', 'RuntimeClass'],
      ...['PersistentVolumeClaimResize', 'CertificateApproval', 'CertificateSigning', 'CertificateSubjectRestriction'],
      ...['DefaultIngressClass', 'MutatingAdmissionWebhook', 'ValidatingAdmissionWebhook', 'ResourceQuota'],
    ].join()}`,
  ],
};

const admissionRow: Row = {
  name: 'default admission, its share of a create',
  aim: '≤ 0.3',
  run: () =>
    onCluster((plain) =>
      onCluster(async (bare) => {
        const measured = await against(plain, bare);
        return {
          subject: perSecond(measured.subject, 'creates'),
          reference: `${perSecond(measured.reference, 'creates')} without`,
          ratio: 1 - measured.subject / measured.reference,
        };
      }, withoutAdmission),
    ),
};

const traceRow: Row = {
  name: 'creates while somebody reads the trace',
  aim: '≥ 0.8 of those while nobody does',
  run: () =>
    onCluster((traced) =>
      onCluster(async (quiet) => {
        const end = traced.trace.listen(() => undefined);
        const measured = await against(traced, quiet);
        end();
        return {
          subject: perSecond(measured.subject, 'creates'),
          reference: `${perSecond(measured.reference, 'creates')} without a trace`,
          ratio: measured.subject / measured.reference,
        };
      }),
    ),
};

export const writeRows: readonly Row[] = [
  ...subjects.flatMap((subject) => Object.keys(ways).map((way) => rowOf(subject, way))),
  admissionRow,
  traceRow,
];
