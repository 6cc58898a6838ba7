/** What nodes and pods use, as the metrics API says it. */
import { nodes, pathOf, type Client, type Node, type ResourceRef } from '../../client/index.ts';
import { Quantity, quantityOf, StatusError } from '../../schema/index.ts';
import { command, group, type Call } from '../command/command.ts';
import { complaint } from '../command/errors.ts';
import { text, toggle, type Flags } from '../command/flags.ts';
import { Columns } from '../output/columns.ts';

interface Usage {
  readonly cpu?: string;
  readonly memory?: string;
}

interface NodeMetrics {
  readonly metadata: { readonly name: string };
  readonly usage: Usage;
}

interface PodMetrics {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly containers: readonly { readonly name: string; readonly usage: Usage }[];
}

const metrics = (resource: string, namespaced: boolean): ResourceRef => ({
  ...{ group: 'metrics.{domain}', version: 'v1beta1', resource, kind: '', namespaced },
});

const common = {
  'no-headers': toggle(),
  selector: text({
    short: 'l',
  }),
  'sort-by': text(),
} as const satisfies Flags;

/** A row of the table. */
interface Row {
  readonly before: readonly string[];
  readonly cpu: Quantity;
  readonly memory: Quantity;
}

async function ask<T>(
  client: Client,
  ref: ResourceRef,
  namespace: string,
  name: string,
  labelSelector: string,
): Promise<readonly T[]> {
  try {
    const answer = (await client.json(pathOf(ref, client.names, namespace, name), { query: { labelSelector } })) as {
      readonly items?: readonly T[] | null;
    };
    return name === '' ? (answer.items ?? []) : [answer as T];
  } catch (error) {
    if (error instanceof StatusError && error.status.code === 404 && error.status.details?.name === undefined)
      throw complaint('Metrics API not available');
    throw error;
  }
}

function check({ args, flags, path }: Call<typeof common>): void {
  if (args.length > 1)
    throw complaint(`${path.split(' ').at(-1) ?? ''} [NAME | -l label]\nSee '${path} -h' for help and examples`);
  if (args.length === 1 && flags.selector !== '') throw complaint('only one of NAME or --selector can be provided');
  if (!['', 'cpu', 'memory'].includes(flags['sort-by'])) throw complaint('--sort-by accepts only cpu or memory');
}

const sum = (usages: readonly Usage[], of: keyof Usage): Quantity =>
  usages.reduce((total, usage) => total.add(quantityOf(usage[of])), Quantity.zero);

const cores = (amount: Quantity): string => `${amount.milliValue()}m`;
const bytes = (amount: Quantity): string => `${Math.floor(amount.value() / (1024 * 1024))}Mi`;

/** Sorted with the largest first; by name if no column is given. */
function sorted(rows: readonly Row[], by: string): readonly Row[] {
  const byName = (a: Row, b: Row): number => (a.before.join() < b.before.join() ? -1 : 1);
  if (by !== 'cpu' && by !== 'memory') return [...rows].sort(byName);
  return [...rows].sort((a, b) => b[by].compare(a[by]) || byName(a, b));
}

const topNode = command({
  name: 'node',
  aliases: ['nodes', 'no'],
  flags: common,
  run: async (call) => {
    check(call);
    const { client, flags: given, session, args } = call;
    const found = await ask<NodeMetrics>(client, metrics('nodes', false), '', args[0] ?? '', given.selector);
    if (found.length === 0) throw complaint('metrics not available yet');
    const { items } = (await client.json(pathOf(nodes, client.names))) as { readonly items: readonly Node[] };
    const rows = found.map(({ metadata, usage }) => ({
      before: [metadata.name],
      cpu: quantityOf(usage.cpu),
      memory: quantityOf(usage.memory),
    }));
    const lines = sorted(rows, given['sort-by']).map(({ before, cpu, memory }) => {
      const has = items.find((node) => node.metadata.name === before[0])?.status.allocatable;
      const cpuPart = Math.trunc((cpu.milliValue() / quantityOf(has?.['cpu']).milliValue()) * 100);
      const memoryPart = Math.trunc((memory.value() / quantityOf(has?.['memory']).value()) * 100);
      return [...before, cores(cpu), `${cpuPart}%`, bytes(memory), `${memoryPart}%`, ''];
    });
    const head = ['NAME', 'CPU(cores)', 'CPU%', 'MEMORY(bytes)', 'MEMORY%', ''];
    session.out(new Columns().lines(given['no-headers'] ? lines : [head, ...lines]));
  },
});

const topPod = command({
  name: 'pod',
  aliases: ['pods', 'po'],
  flags: {
    ...common,
    'all-namespaces': toggle({ short: 'A' }),
    containers: toggle(),
  },
  run: async (call) => {
    check(call);
    const { client, flags: given, session, args, namespace } = call;
    const everywhere = given['all-namespaces'];
    const within = everywhere ? '' : namespace;
    const found = await ask<PodMetrics>(client, metrics('pods', true), within, args[0] ?? '', given.selector);
    if (found.length === 0)
      return session.err(everywhere ? 'No resources found\n' : `No resources found in ${namespace} namespace.\n`);
    const rows = found.flatMap(({ metadata, containers }): Row[] => {
      const start = [...(everywhere ? [metadata.namespace] : [])];
      if (!given.containers) {
        const usages = containers.map(({ usage }) => usage);
        return [{ before: [...start, metadata.name], cpu: sum(usages, 'cpu'), memory: sum(usages, 'memory') }];
      }
      return containers.map(({ name, usage }) => ({
        before: [...start, metadata.name, name],
        cpu: quantityOf(usage.cpu),
        memory: quantityOf(usage.memory),
      }));
    });
    const lines = sorted(rows, given['sort-by']).map(({ before, cpu, memory }) => [
      ...before,
      cores(cpu),
      bytes(memory),
      '',
    ]);
    const head = [
      ...(everywhere ? ['NAMESPACE'] : []),
      given.containers ? 'POD' : 'NAME',
      ...(given.containers ? ['NAME'] : []),
      'CPU(cores)',
      'MEMORY(bytes)',
      '',
    ];
    session.out(new Columns().lines(given['no-headers'] ? lines : [head, ...lines]));
  },
});

export const top = group({
  name: 'top',
  aliases: [],
  subcommands: [topNode, topPod],
});
