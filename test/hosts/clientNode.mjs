// What programs do with the field's client for Node: `node clientNode.mjs PACKAGE KUBECONFIG`, where PACKAGE is the folder of
// `@kubernetes/client-node` 1.x. Prints a line for each thing that worked; the first that doesn't ends it with its reason.
import { createServer } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';

const [folder, kubeconfig] = process.argv.slice(2);
const client = await import(pathToFileURL(join(folder, 'dist/index.js')).href);
const kc = new client.KubeConfig();
kc.loadFromFile(kubeconfig);
const [core, apps] = [kc.makeApiClient(client.CoreV1Api), kc.makeApiClient(client.AppsV1Api)];
const [namespace, name, path] = ['default', 'web', '/api/v1/namespaces/default/pods'];

const LONGEST = 20_000;
async function until(what, check) {
  for (const begun = Date.now(); Date.now() - begun < LONGEST; await new Promise((done) => setTimeout(done, 20))) {
    const found = await check();
    if (found) return console.log(what) ?? found;
  }
  throw new Error(`not within ${LONGEST} ms: ${what}`);
}

/** A stream, and the text that came on it. */
function listened() {
  const stream = new PassThrough();
  const heard = { stream, text: '' };
  stream.on('data', (chunk) => (heard.text += chunk));
  return heard;
}

const labels = { app: name };
const container = { name: 'c', image: 'nginx', ports: [{ containerPort: 80 }] };
const template = { metadata: { labels }, spec: { containers: [container] } };
const spec = { replicas: 1, selector: { matchLabels: labels }, template };

const seen = new Set();
const watch = await new client.Watch(kc).watch(
  path,
  {},
  (type) => seen.add(type),
  () => undefined,
);
const informed = new Set();
const informer = client.makeInformer(kc, path, () => core.listNamespacedPod({ namespace }));
informer.on('add', (pod) => informed.add(pod.metadata.name));
informer.on('delete', (pod) => informed.delete(pod.metadata.name));
informer.on('error', () => undefined);
await informer.start();

await apps.createNamespacedDeployment({ namespace, body: { metadata: { name }, spec } });
const isReady = ({ status }) => status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True');
const pod = await until('create', async () => (await core.listNamespacedPod({ namespace })).items.find(isReady));
await until('watch', () => seen.has('ADDED') && seen.has('MODIFIED'));
await until('informer', () => informed.has(pod.metadata.name));

const header = client.setHeaderOptions('Content-Type', client.PatchStrategy.StrategicMergePatch);
await apps.patchNamespacedDeployment({ namespace, name, body: { spec: { replicas: 2 } } }, header);
await until('patch', () => informed.size === 2);

const said = listened();
let status;
const command = ['sh', '-c', 'echo hello; exit 3'];
await new client.Exec(kc).exec(
  ...[namespace, pod.metadata.name, 'c', command, said.stream, process.stderr, null, false],
  (ended) => (status = ended),
);
await until('exec', () => said.text.includes('hello') && status?.details?.causes?.[0]?.message === '3');

const forwarder = new client.PortForward(kc);
const server = createServer((socket) =>
  forwarder.portForward(namespace, pod.metadata.name, [80], socket, null, socket),
);
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
const answer = await fetch(`http://127.0.0.1:${server.address().port}/`, { headers: { connection: 'close' } });
await until('port-forward', () => answer.status === 200);

const logged = listened();
const following = await new client.Log(kc).log(namespace, pod.metadata.name, 'c', logged.stream, { follow: true });
await until('logs', () => logged.text.includes('\n'));
following.abort();

const absent = await core.readNamespacedPod({ namespace, name: 'absent' }).catch((error) => error);
await until('errors', () => absent.code === 404 && JSON.parse(absent.body).reason === 'NotFound');
await apps.deleteNamespacedDeployment({ namespace, name });
await until('delete', () => informed.size === 0);
await informer.stop();
watch.abort();
process.exit(0);
