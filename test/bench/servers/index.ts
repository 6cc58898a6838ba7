import { median, thousands } from '../row.ts';
import { untilSeen } from './lines.ts';
import { serverAt, type BenchServer } from './server.ts';
import { workloads, type Workload } from './workloads.ts';

export interface Comparison {
  /** Where the servers are: what is measured first, and what the others are held against last. */
  readonly addresses: readonly string[];
  /** How an administrator of all of them says who it is. */
  readonly token: string;
  readonly rounds: number;
  /** Only workloads whose name has this in it. */
  readonly only: string;
}

/** One round of a workload at a server. */
interface Round {
  /** Things done in a second. */
  readonly rate: number;
  /** Milliseconds of each request. */
  readonly waits: readonly number[];
  /** Milliseconds of the server's CPU for one of them; what it goes on doing afterwards is not in it. */
  readonly cpu: number | undefined;
}

/** `npm run bench -- servers ADDRESS… [REFERENCE]`: the same work for each server by turns, as ratios to the last. */
export async function compareServers(
  { addresses, token, rounds, only }: Comparison,
  print: (line: string) => void,
): Promise<void> {
  const servers = await Promise.all(addresses.map((address) => serverAt(address, token)));
  print(`${servers.map(({ name }) => name).join(' · ')}: rates of the same work, by turns, medians of ${rounds}`);
  for (const workload of workloads.filter(({ name }) => name.includes(only))) {
    const measured = servers.map((): Round[] => []);
    for (let round = 0; round < rounds; round++) {
      for (const [at, server] of servers.entries()) measured[at]?.push(await once(server, workload));
    }
    print(`  ${workload.name.padEnd(44)} ${measured.map((own) => describe(own, measured.at(-1) ?? [])).join(' · ')}`);
  }
  await Promise.all(servers.map((server) => server.stop()));
}

const rateOf = (rounds: readonly Round[]): number => median(rounds.map(({ rate }) => rate));

function describe(rounds: readonly Round[], reference: readonly Round[]): string {
  const waits = rounds.flatMap((round) => round.waits).sort((a, b) => a - b);
  const percentile = (share: number): string => (waits[Math.floor(waits.length * share)] ?? NaN).toFixed(1);
  const tail = waits.length > 0 ? ` (p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)})` : '';
  const ratio = rounds === reference ? '' : `${(rateOf(rounds) / rateOf(reference)).toFixed(2)}: `;
  const cpu = median(rounds.map((round) => (round.cpu ?? NaN) * 1000));
  return `${ratio}${thousands(rateOf(rounds))}/s${tail}${Number.isNaN(cpu) ? '' : `, ${thousands(cpu)} µs of CPU`}`;
}

async function once(server: BenchServer, workload: Workload): Promise<Round> {
  const namespace = await freshNamespace(server);
  const measurement = await workload.prepare({ server, namespace });
  const waits: number[] = [];
  const [began, before] = [performance.now(), server.cpu?.()];
  const count = await measurement.run((ms) => waits.push(ms));
  const rate = (count * 1000) / (performance.now() - began);
  const cpu = before === undefined ? undefined : ((server.cpu?.() ?? NaN) - before) / count;
  await measurement.clean?.();
  return { rate, waits, cpu };
}

/** Its name is chosen by the server, so that the bench can run again; it is ready when pods can run in it. */
async function freshNamespace(server: BenchServer): Promise<string> {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'bench-' } });
  const { metadata } = JSON.parse(await server.ask('POST', '/api/v1/namespaces', body)) as {
    metadata: { name: string };
  };
  const path = `/api/v1/namespaces/${metadata.name}/serviceaccounts`;
  await (
    await untilSeen(server, path, 1, (line) => line.includes('"secrets"'))
  ).all;
  return metadata.name;
}
