import { afterAll, beforeAll, test } from 'vitest';
import { Bench, type Loose } from '../controllers/bench.ts';

const CORE = '/api/v1/namespaces/default';
const POLICIES = '/apis/networking.cluster.io/v1/namespaces/default/networkpolicies';
let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start({ nodes: 2 });
  await bench.create(`${CORE}/services`, {
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
  await bench.create(`${CORE}/pods`, {
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: { containers: [{ name: 'c', image: 'nginx' }] },
  });
  const loop =
    'while true; do wget -q -T 1 -O /dev/null http://web 2>/dev/null && echo green || echo red; sleep 1; done';
  await bench.create(`${CORE}/pods`, {
    metadata: { name: 'client', labels: { app: 'client' } },
    spec: { containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', loop] }] },
  });
  await bench.until(`${CORE}/endpoints/web`, (e) => e.subsets?.[0]?.addresses?.length === 1);
});
afterAll(() => bench.stop());

/** Waits until the last lines of the loop are of one colour. */
async function untilAll(colour: string): Promise<void> {
  const log = `${CORE}/pods/client/log?container=c&tailLines=2`;
  await bench.until(log, (text: Loose) => String(text) === `${colour}\n${colour}\n`);
}

test('a loop that calls a service turns red by a default-deny policy, and green when another policy allows it', async () => {
  await untilAll('green');
  await bench.create(POLICIES, { metadata: { name: 'deny' }, spec: { podSelector: {}, policyTypes: ['Ingress'] } });
  await untilAll('red');
  await bench.create(POLICIES, {
    metadata: { name: 'allow' },
    spec: {
      podSelector: { matchLabels: { app: 'web' } },
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'client' } } }] }],
    },
  });
  await untilAll('green');
});
