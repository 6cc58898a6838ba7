/** `cluster-info dump`: everything that helps to find out what is wrong, as one text. */
import {
  deployments,
  daemonSets,
  events,
  nodes,
  pathOf,
  pods,
  replicaSets,
  replicationControllers,
  services,
  type Pod,
} from '../../client/index.ts';
import { isObject, setOwn, sortKeys, trimRight } from '../../std/index.ts';
import { command, type Call } from '../command/command.ts';
import { complaint, describeError } from '../command/errors.ts';
import { duration, text, texts, toggle } from '../command/flags.ts';
import { resultFlags } from '../output/result.ts';
import { printYaml } from '../output/yaml.ts';

const flags = {
  'all-namespaces': toggle({ short: 'A' }),
  namespaces: texts({ separator: ',' }),
  ...resultFlags,
  output: text({ short: 'o', initial: 'json' }),
  'pod-running-timeout': duration({ initial: 20_000 }),
  'output-directory': text(),
};

type DumpCall = Call<typeof flags>;

/** What is dumped of a namespace, and into files of which names. */
const KINDS = [
  { kind: events, file: 'events' },
  { kind: replicationControllers, file: 'replication-controllers' },
  { kind: services, file: 'services' },
  { kind: daemonSets, file: 'daemonsets' },
  { kind: deployments, file: 'deployments' },
  { kind: replicaSets, file: 'replicasets' },
  { kind: pods, file: 'pods' },
];

export const clusterInfoDump = command({
  name: 'dump',
  flags,
  run: async (call) => {
    const { client, flags: given } = call;
    if (given.output !== 'json' && given.output !== 'yaml')
      throw complaint(`--output must be json or yaml, not ${JSON.stringify(given.output)}`);
    await put(call, 'nodes', await listOf(call, pathOf(nodes, client.names)));
    for (const namespace of await namespacesOf(call))
      for (const { kind, file } of KINDS) {
        const list = await listOf(call, pathOf(kind, client.names, namespace));
        await put(call, `${namespace}/${file}`, list);
        if (kind === pods) await putLogs(call, (list['items'] ?? []) as readonly Pod[]);
      }
    if (!isOneText(call)) call.session.out(`Cluster info dumped to ${given['output-directory']}\n`);
  },
});

async function namespacesOf({ client, flags: given, namespace }: DumpCall): Promise<readonly string[]> {
  const { names } = client;
  if (!given['all-namespaces'])
    return given.namespaces.length > 0 ? given.namespaces : [names.systemNamespace, namespace];
  const { items } = (await client.json('/api/v1/namespaces')) as {
    readonly items: readonly { readonly metadata: { readonly name: string } }[];
  };
  return items.map(({ metadata }) => metadata.name);
}

async function listOf({ client }: DumpCall, path: string): Promise<Record<string, unknown>> {
  const list = await client.json(path);
  return isObject(list) ? list : {};
}

const isOneText = ({ flags: { 'output-directory': folder } }: DumpCall): boolean => folder === '' || folder === '-';

/** The maps of the kinds that are dumped: the reference sorts them, and leaves other fields in the order of their type. */
const MAPS = [
  'labels',
  'annotations',
  'capacity',
  'allocatable',
  'limits',
  'requests',
  'matchLabels',
  'nodeSelector',
  'selector',
];

function withSortedMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedMaps);
  if (!isObject(value)) return value;
  const sorted: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value))
    setOwn(sorted, name, MAPS.includes(name) && isPlain(each) ? sortKeys(each) : withSortedMaps(each));
  return sorted;
}

/** Whether an object is a map of texts. */
const isPlain = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((each) => typeof each === 'string');

/** Prints a text, or writes it into a file of the directory that was asked for. */
async function write(call: DumpCall, file: string, content: string): Promise<void> {
  const folder = call.flags['output-directory'];
  if (isOneText(call)) call.session.out(content);
  else await call.session.files.write(`${trimRight(folder, '/')}/${file}`, content);
}

async function put(call: DumpCall, file: string, list: Record<string, unknown>): Promise<void> {
  const { output } = call.flags;
  if (list['items'] === null) setOwn(list, 'items', []);
  const separator = output === 'yaml' && file !== 'nodes' && isOneText(call) ? '---\n' : '';
  const content = output === 'json' ? `${JSON.stringify(withSortedMaps(list), null, 4)}\n` : printYaml(list);
  await write(call, `${file}.${output}`, separator + content);
}

/** The logs of a pod's containers go into one file, one after the other. */
async function putLogs(call: DumpCall, list: readonly Pod[]): Promise<void> {
  for (const pod of list) {
    const { namespace = '', name = '' } = pod.metadata;
    const containers = [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])];
    let logs = '';
    for (const { name: container } of containers) {
      const where = `container ${container} of pod ${namespace}/${name}`;
      const log = await logOf(call, pod, container);
      logs += `==== START logs for ${where} ====\n${log}==== END logs for ${where} ====\n`;
    }
    await write(call, `${namespace}/${name}/logs.txt`, logs);
  }
}

async function logOf({ client, session }: DumpCall, { metadata }: Pod, container: string): Promise<string> {
  const { namespace = '', name = '' } = metadata;
  const path = pathOf(pods, client.names, namespace, name, 'log');
  try {
    const answer = await client.raw(path, {
      query: { container },
      accept: 'application/json, */*',
      signal: session.signal,
    });
    return await answer.text();
  } catch (error) {
    return `Request log error: ${describeError(error)}\n`;
  }
}
