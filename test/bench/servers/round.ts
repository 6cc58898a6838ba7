import { untilSeen } from './lines.ts';
import type { BenchServer } from './server.ts';
import { workloads } from './workloads.ts';

/** One round of a workload at a server. */
export interface Round {
  /** Things done in a second. */
  readonly rate: number;
  /** Milliseconds of each request. */
  readonly waits: readonly number[];
  /** Milliseconds of the server's CPU for one of them; what it goes on doing afterwards is not in it. */
  readonly cpu: number | undefined;
}

/** Gives a server the workload of this name, in a namespace of its own. */
export async function runRound(server: BenchServer, name: string): Promise<Round> {
  const workload = workloads.find((candidate) => candidate.name === name);
  if (!workload) throw new Error(`no workload is called ${name}`);
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
