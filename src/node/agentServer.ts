/** The HTTP endpoints of a node's agent: health, pods, usage, logs. `nodes/NAME/proxy/…` leads here. */
import type { Node, Pod } from '../client/index.ts';
import { encodeText, getOwn, pathAndQuery, rfc3339 } from '../std/index.ts';
import type { LogOptions } from './logs.ts';
import type { NodeUse, Use } from './usage.ts';

/** The state of a node with a running agent. */
export interface AgentView {
  readonly node: Node;
  readonly pods: readonly Pod[];
  readonly use: NodeUse;
  /** The log of a container; undefined if the container is unknown. */
  logs(pod: Pod, container: string, options: LogOptions): AsyncIterable<string> | undefined;
}

export interface AgentAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

const answer = (status: number, type: string, text: string): AgentAnswer => ({
  status,
  headers: new Map([['content-type', type]]),
  body: encodeText(text),
});
const plain = (text: string, status = 200): AgentAnswer => answer(status, 'text/plain; charset=utf-8', text);
const json = (value: object): AgentAnswer => answer(200, 'application/json', JSON.stringify(value));

const PATHS: Readonly<Record<string, (view: AgentView) => AgentAnswer>> = {
  '/healthz': () => plain('ok'),
  '/pods': ({ pods }) => json(podList(pods)),
  '/runningpods': ({ pods }) => json(podList(pods.filter(({ status }) => status.phase === 'Running'))),
  '/stats/summary': (view) => json(summary(view)),
  '/metrics': (view) => metrics([...agentSamples(view)]),
  '/metrics/cadvisor': (view) => metrics([...containerSamples(view)]),
  '/metrics/resource': (view) => metrics([...nodeSamples(view), ...containerSamples(view)]),
  '/configz': ({ node }) => json({ kubeletconfig: configuration(node) }),
  '/logs': ({ pods }) => answer(200, 'text/html; charset=utf-8', `<pre>\n${pods.map(link).join('')}</pre>\n`),
};

/** Answers a request for a path with its query. */
export async function agentAnswer(view: AgentView, method: string, target: string): Promise<AgentAnswer> {
  const { pathname, search } = pathAndQuery(`http://agent${target}`);
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname;
  const found = getOwn(PATHS, path);
  if (method !== 'GET') return plain('405 method not allowed\n', found ? 405 : 404);
  if (found) return found(view);
  const [, root, namespace = '', name, container, ...more] = path.split('/').map(decodeURIComponent);
  if (root !== 'containerLogs' || container === undefined || more.length > 0) return plain('404 page not found\n', 404);
  const pod = view.pods.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
  if (!pod) return plain(`pod "${namespace}/${name ?? ''}" not found\n`, 404);
  return logs(view, pod, container, new URLSearchParams(search));
}

/** The existing log; following is not supported here. */
async function logs(view: AgentView, pod: Pod, container: string, query: URLSearchParams): Promise<AgentAnswer> {
  const tail = query.get('tailLines');
  const lines = view.logs(pod, container, {
    ...{ follow: false, previous: query.get('previous') === 'true', timestamps: query.get('timestamps') === 'true' },
    tailLines: tail === null ? undefined : Number(tail) || 0,
  });
  if (!lines) return plain(`container "${container}" in pod "${pod.metadata.name}" is not available\n`, 404);
  let text = '';
  for await (const line of lines) text += line;
  return plain(text);
}

const podList = (pods: readonly Pod[]): object => ({
  kind: 'PodList',
  apiVersion: 'v1',
  metadata: {},
  items: pods.map(({ metadata, spec, status }) => ({ metadata, spec, status })),
});

const link = ({ metadata: { namespace, name, uid } }: Pod): string => {
  const folder = encodeURIComponent(`${namespace}_${name}_${uid}`);
  return `<a href="${folder}/">${folder}/</a>\n`;
};

/** The reference's summary API, as far as usage is measured here. */
function summary({ node, use, pods }: AgentView): object {
  const time = rfc3339(use.at);
  const amounts = ({ millicores, memory }: Use): object => ({
    cpu: { time, usageNanoCores: Math.round(millicores * 1e6) },
    memory: { time, usageBytes: memory, workingSetBytes: memory },
  });
  const startOf = new Map(pods.map(({ metadata, status }) => [metadata.uid, status.startTime]));
  return {
    node: { nodeName: use.node, startTime: node.metadata.creationTimestamp, ...amounts(use) },
    pods: use.pods.map(({ name, namespace, uid, containers }) => ({
      podRef: { name, namespace, uid },
      startTime: startOf.get(uid),
      containers: containers.map((container) => ({ name: container.name, ...amounts(container) })),
    })),
  };
}

/** A gauge: its name, labels and value. */
type Sample = readonly [string, Readonly<Record<string, string>>, number];

function* agentSamples({ node, pods, use }: AgentView): Generator<Sample> {
  yield ['kubelet_node_name', { node: node.metadata.name }, 1];
  yield ['kubelet_running_pods', {}, use.pods.length];
  yield [
    'kubelet_running_containers',
    { container_state: 'running' },
    use.pods.flatMap((pod) => pod.containers).length,
  ];
  yield ['kubelet_desired_pods', {}, pods.length];
}

function* nodeSamples({ use }: AgentView): Generator<Sample> {
  yield ['node_memory_working_set_bytes', {}, use.memory];
}

function* containerSamples({ use }: AgentView): Generator<Sample> {
  for (const { name: pod, namespace, containers } of use.pods)
    for (const { name: container, memory } of containers)
      yield ['container_memory_working_set_bytes', { container, namespace, pod }, memory];
}

function metrics(samples: readonly Sample[]): AgentAnswer {
  const types = new Set<string>();
  const lines = samples.map(([name, labels, value]) => {
    const head = types.has(name) ? '' : `# TYPE ${name} gauge\n`;
    types.add(name);
    const pairs = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
    return `${head}${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`;
  });
  return answer(200, 'text/plain; version=0.0.4; charset=utf-8', lines.join(''));
}

const configuration = ({ status, spec }: Node): object => ({
  enableServer: true,
  port: 10_250,
  podCIDR: spec.podCIDR ?? '',
  maxPods: Number(status.capacity?.['pods'] ?? 110),
});
