/** Nine pods in three namespaces that serve TCP, UDP and SCTP at two ports, each behind a service of its own; and what each of them reaches. */
import { podKeys } from '../world.ts';
import { createNamespaces, inPod, output, until, write, type Field } from './field.ts';

export type Protocol = 'tcp' | 'udp' | 'sctp';

const PORTS = [80, 81];
const PROTOCOLS: readonly Protocol[] = ['tcp', 'udp', 'sctp'];
const NAMESPACES = ['x', 'y', 'z'];

const portsWith = (name: string): object[] =>
  PORTS.flatMap((port) =>
    PROTOCOLS.map((protocol) => ({
      name: `serve-${port}-${protocol}`,
      protocol: protocol.toUpperCase(),
      [name]: port,
    })),
  );

function podWithService(key: string): object[] {
  const [namespace = '', pod = ''] = key.split('/');
  const containers = PORTS.map((port) => ({
    name: `at-${port}`,
    image: 'k8s.gcr.io/e2e-test-images/agnhost:2.21',
    args: ['netexec', `--http-port=${port}`, `--udp-port=${port}`, `--sctp-port=${port}`],
    ports: portsWith('containerPort').filter((each) => 'containerPort' in each && each.containerPort === port),
  }));
  const labels = { pod, ns: namespace };
  return [
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: pod, namespace, labels }, spec: { containers } },
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: `s-${namespace}-${pod}`, namespace } },
      spec: { selector: labels, ports: portsWith('port') },
    },
  ];
}

/** The addresses of the pods by their keys, once all of them are ready. */
export async function startPods(field: Field): Promise<ReadonlyMap<string, string>> {
  await createNamespaces(field, NAMESPACES);
  await write(field, 'create', podKeys.flatMap(podWithService));
  const line = (namespace: string): string[] => [
    ...['get', 'pods', '-n', namespace, '-o'],
    'jsonpath={range .items[*]}{.metadata.name} {.status.podIP} {.status.containerStatuses[*].ready}{"\\n"}{end}',
  ];
  const found: [string, string][] = [];
  for (const namespace of NAMESPACES) {
    const ready = (out: string): boolean => out.match(/^\w \S+ true true$/gm)?.length === 3;
    const out = await until(field, line(namespace), ({ out }) => ready(out));
    for (const row of out.trim().split('\n')) {
      const [name = '', address = ''] = row.split(' ');
      found.push([`${namespace}/${name}`, address]);
    }
  }
  return new Map(found);
}

export interface Probe {
  readonly port: number;
  readonly protocol: Protocol;
  /** How the others are called: by the name of their service, by its address, or by their own. */
  readonly by: 'name' | 'service' | 'pod';
}

/**
 * Who doesn't reach whom: `x/a -> y/b`. Every pod tries all nine, itself among them, one connection each. A pod always reaches itself,
 * unless it finds no name.
 */
export async function deniedPairs(
  field: Field,
  addresses: ReadonlyMap<string, string>,
  { port, protocol, by }: Probe,
  timeout: string,
): Promise<Set<string>> {
  const hosts = new Map<string, string>();
  for (const key of podKeys) hosts.set(key, await hostOf(field, key, by, addresses));
  const attempts = podKeys.map((key) => {
    const connect = `/agnhost connect ${hosts.get(key) ?? ''}:${port} --timeout=${timeout} --protocol=${protocol}`;
    return `(if ${connect} >/dev/null 2>&1; then echo ${key} open; else echo ${key} closed; fi) &`;
  });
  const rows = podKeys.map(async (from) => {
    const out = await inPod(field, from, `${attempts.join(' ')} wait`, 'at-80');
    const answers = out.trim().split('\n');
    if (answers.length !== podKeys.length) throw new Error(`${from} told of ${answers.length} attempts: ${out}`);
    const closed = answers.flatMap((answer) => /^(\S+) closed$/.exec(answer)?.[1] ?? []);
    return closed.filter((to) => to !== from || by !== 'name').map((to) => `${from} -> ${to}`);
  });
  return new Set((await Promise.all(rows)).flat());
}

async function hostOf(
  field: Field,
  key: string,
  by: Probe['by'],
  addresses: ReadonlyMap<string, string>,
): Promise<string> {
  const [namespace = '', name = ''] = key.split('/');
  const service = `s-${namespace}-${name}`;
  if (by === 'name') return `${service}.${namespace}.svc.cluster.local`;
  if (by === 'pod') return addresses.get(key) ?? '';
  return output(field, ['get', 'service', '-n', namespace, service, '-o', 'jsonpath={.spec.clusterIP}']);
}
