import { median, percentile, thousands } from '../row.ts';
import { contenderAt, type Contender } from './contender.ts';
import type { Round } from './round.ts';
import { workloads } from './workloads.ts';

export interface Comparison {
  /** Where the servers are: what is measured first, and what the others are held against last. */
  readonly addresses: readonly string[];
  /** How an administrator of all of them says who it is. */
  readonly token: string;
  readonly rounds: number;
  /** Only workloads whose name has this in it. */
  readonly only: string;
}

/** `npm run bench -- servers ADDRESS… [REFERENCE]`: the same work for each server by turns, as ratios to the last. */
export async function compareServers(
  { addresses, token, rounds, only }: Comparison,
  print: (line: string) => void,
): Promise<void> {
  const contenders: Contender[] = [];
  try {
    for (const address of addresses) contenders.push(await contenderAt(address, token));
    print(`${contenders.map(({ name }) => name).join(' · ')}: rates of the same work, by turns, medians of ${rounds}`);
    for (const { name } of workloads.filter((workload) => workload.name.includes(only))) {
      const measured = contenders.map((): Round[] => []);
      for (let round = 0; round < rounds; round++) {
        for (const [at, contender] of contenders.entries()) measured[at]?.push(await contender.run(name));
      }
      print(`  ${name.padEnd(44)} ${measured.map((own) => describe(own, measured.at(-1) ?? [])).join(' · ')}`);
    }
  } finally {
    await Promise.all(contenders.map((contender) => contender.stop()));
  }
}

const rateOf = (rounds: readonly Round[]): number => median(rounds.map(({ rate }) => rate));

function describe(rounds: readonly Round[], reference: readonly Round[]): string {
  const waits = rounds.flatMap((round) => round.waits).sort((a, b) => a - b);
  const [p50, p99] = [50, 99].map((percent) => percentile(waits, percent).toFixed(1));
  const tail = waits.length > 0 ? ` (p50 ${p50} ms, p99 ${p99})` : '';
  const ratio = rounds === reference ? '' : `${(rateOf(rounds) / rateOf(reference)).toFixed(2)}: `;
  const cpu = median(rounds.map((round) => (round.cpu ?? NaN) * 1000));
  return `${ratio}${thousands(rateOf(rounds))}/s${tail}${Number.isNaN(cpu) ? '' : `, ${thousands(cpu)} µs of CPU`}`;
}
