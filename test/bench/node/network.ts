import { Dataplane, Matrix } from '../../../src/network/index.ts';
import { manualClock, seededRandom } from '../../../src/std/index.ts';
import { createTracer } from '../../../src/trace/index.ts';
import { addressOf, add, podKeys, smallCluster, smallPods } from '../../network/world.ts';
import { perSecond, rate, timed, type Row } from '../row.ts';

const CONNECTIONS = 5_000;
const AIM = 1_000;

/** A service for a pod, and a policy that allows it connections from all pods. */
function objectsOf(key: string, i: number): string {
  const [namespace = '', pod = ''] = key.split('/');
  return `
kind: Service
metadata: {name: ${pod}, namespace: ${namespace}}
spec: {clusterIP: 10.96.1.${i + 1}, ports: [{port: 80}]}
---
kind: EndpointSlice
metadata: {name: ${pod}, namespace: ${namespace}, labels: {cluster.io/service-name: ${pod}}}
ports: [{port: 80}]
endpoints: [{addresses: [${addressOf(key)}]}]
---
kind: NetworkPolicy
metadata: {name: to-${pod}, namespace: ${namespace}}
spec:
  podSelector: {matchLabels: {pod: ${pod}}}
  ingress: [{from: [{namespaceSelector: {matchExpressions: [{key: ns, operator: In, values: [x, y, z]}]}}], ports: [{port: http}]}]
`;
}

function dataplane(): Dataplane {
  const clock = manualClock();
  const tracer = createTracer(clock);
  tracer.listen(() => undefined, ['flow']);
  const view = add(smallCluster(), podKeys.map(objectsOf).join('---'));
  return new Dataplane({ view, clock, random: seededRandom(1), tracer });
}

/** Looks a service's name up, connects, sends a byte, waits for its echo and closes. */
async function connectionsPerSecond(): Promise<number> {
  const plane = dataplane();
  const networks = smallPods(plane.view).map((pod, i) => plane.networkOf(addressOf(podKeys[i] ?? ''), { pod }));
  for (const network of networks)
    network.listen(80, ({ stream }) => void stream.read().then((bytes) => bytes && stream.write(bytes)));
  const ms = await timed(async () => {
    for (let i = 0; i < CONNECTIONS; i++) {
      const [namespace = '', pod = ''] = (podKeys[(i * 5) % podKeys.length] ?? '').split('/');
      const connection = await networks[i % networks.length]?.connect({ host: `${pod}.${namespace}`, port: 80 });
      await connection?.stream.write(new Uint8Array(1));
      await connection?.stream.read();
      connection?.stream.release();
    }
  });
  return rate(CONNECTIONS, ms);
}

const PODS = 300;
const POLICIES = 60;
const EDITS = 7;
const MATRIX_MS = 100;

/** Milliseconds for the matrix of many pods after one policy was edited: the median of several edits. */
async function matrixAfterEdit(): Promise<number> {
  const text = Array.from({ length: PODS }, (_, i) => {
    const address = `10.244.${8 + (i >> 6)}.${1 + (i & 63)}`;
    return `{kind: Pod, metadata: {name: p${i}, namespace: ${'xyz'[i % 3]}, labels: {app: app-${i % 30}}}, status: {podIP: ${address}}}`;
  });
  const policies = Array.from({ length: POLICIES }, (_, i) => policyOf(i, `app-${i % 30}`));
  const view = add(smallCluster(), [...text, ...policies].join('\n---\n'));
  const pods = view.all('pods').filter(({ metadata }) => metadata?.name?.startsWith('p'));
  const times: number[] = [];
  for (let edit = 0; edit < EDITS; edit++)
    times.push(
      await timed(async () => {
        const next = view.fork();
        add(next, policyOf(0, `app-${edit}`));
        await Promise.resolve(new Matrix(pods, { port: 80, protocol: 'TCP' }, next));
      }),
    );
  return times.sort((a, b) => a - b)[EDITS >> 1] ?? Infinity;
}

const policyOf = (i: number, app: string): string =>
  `{kind: NetworkPolicy, metadata: {name: n${i}, namespace: ${'xyz'[i % 3]}}, spec: {podSelector: {matchLabels: {app: ${app}}}, policyTypes: [Ingress, Egress], ingress: [{from: [{namespaceSelector: {}, podSelector: {matchLabels: {app: app-${(i + 1) % 30}}}}]}], egress: [{to: [{namespaceSelector: {}}]}]}}`;

export const networkRows: readonly Row[] = [
  {
    name: `matrix of ${PODS} x ${PODS} after an edit`,
    aim: `at most 1: ${MATRIX_MS} ms`,
    run: async () => {
      const subject = await matrixAfterEdit();
      return { subject: `${subject.toFixed(1)} ms`, reference: `${MATRIX_MS} ms`, ratio: subject / MATRIX_MS };
    },
  },
  {
    name: 'connections decided and carried',
    aim: `at least 1: ${AIM} connections/s`,
    run: async () => {
      const subject = await connectionsPerSecond();
      return {
        subject: perSecond(subject, 'connections'),
        reference: perSecond(AIM, 'connections'),
        ratio: subject / AIM,
      };
    },
  },
];
