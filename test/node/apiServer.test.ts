/** The API server as containers reach it: by its service, with the mounted token and authority. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Bench, type Loose } from '../controllers/bench.ts';

const CORE = '/api/v1/namespaces/default';
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const TOKEN = `-H "Authorization: Bearer $(cat ${ACCOUNT}/token)"`;
const CA = `--cacert ${ACCOUNT}/ca.crt`;
let bench: Bench;

beforeAll(async () => {
  const all = { user: 'admin', namespace: '*', resource: '*', apiGroup: '*', nonResourcePath: '*' };
  const policy = { apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec: all };
  bench = await Bench.start({
    ...({ nodes: 1, naming: 'k8s.io', files: { 'abac.json': JSON.stringify(policy) } } as const),
    apiserver: ['--authorization-mode=Node,RBAC,ABAC', '--authorization-policy-file=abac.json'],
    controllerManager: ['--use-service-account-credentials=true'],
  });
  await bench.create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'viewers' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'default', name: 'default' }],
  });
});
afterAll(() => bench.stop());

let made = 0;

/** What a script in a new pod writes. */
async function ran(script: string): Promise<string> {
  const name = `p-${++made}`;
  const container = { name: 'c', image: 'agnhost', command: ['sh', '-c', script] };
  await bench.create(`${CORE}/pods`, {
    metadata: { name },
    spec: { containers: [container], restartPolicy: 'Never' },
  });
  await bench.until(`${CORE}/pods/${name}`, (pod) => ['Succeeded', 'Failed'].includes(pod.status.phase));
  return String(await bench.get(`${CORE}/pods/${name}/log`));
}

test.each([
  [
    'the token says who asks',
    `curl -s ${CA} ${TOKEN} https://kubernetes.default${CORE} -o /dev/null -w "%{http_code}"`,
    '200',
  ],
  [
    'by the address in the environment',
    `curl -s ${CA} ${TOKEN} https://$KUBERNETES_SERVICE_HOST:$KUBERNETES_SERVICE_PORT/healthz`,
    'ok',
  ],
  ['by its whole name', `curl -s ${CA} https://kubernetes.default.svc.cluster.local/healthz`, 'ok'],
  [
    'nobody in particular may do little',
    `curl -s ${CA} https://kubernetes.default${CORE}/secrets -o /dev/null -w "%{http_code}"`,
    '403',
  ],
  [
    'a token of nobody is refused',
    `curl -s ${CA} -H "Authorization: Bearer x" https://kubernetes.default/api -o /dev/null -w "%{http_code}"`,
    '401',
  ],
  ['wget does not look at the certificate', 'wget -q -O - https://kubernetes.default/healthz', 'ok'],
  [
    'TLS is what it speaks',
    'curl -s http://kubernetes.default:443/healthz',
    'Client sent an HTTP request to an HTTPS server.\n',
  ],
  [
    'a client that trusts nobody stops',
    'curl -sS https://kubernetes.default/healthz 2>&1; echo " $?"',
    'curl: (60) SSL certificate problem: x509: certificate signed by unknown authority\n 60\n',
  ],
])('%s', async (_, script, expected) => {
  expect(await ran(script)).toBe(expected);
});

test('a container writes objects as its service account may', async () => {
  await bench.create('/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
    metadata: { name: 'editors' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'default', name: 'default' }],
  });
  const body = JSON.stringify({ metadata: { name: 'made' }, data: { by: 'a pod' } });
  const post = `-H "Content-Type: application/json" -d '${body}'`;
  await ran(`curl -s ${CA} ${TOKEN} ${post} https://kubernetes.default${CORE}/configmaps`);
  expect((await bench.get(`${CORE}/configmaps/made`)).data).toEqual({ by: 'a pod' });
});

test('a watch comes as its events do, and ends with its client', async () => {
  const url = `https://kubernetes.default${CORE}/configmaps?watch=true\\&timeoutSeconds=3`;
  const text = await ran(`curl -s ${CA} ${TOKEN} ${url}`);
  expect(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as Loose).type),
  ).toContain('ADDED');
});
