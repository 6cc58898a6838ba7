import { readFileSync } from 'node:fs';

/** The kernel counts CPU time of processes in hundredths of a second. */
const MS_PER_TICK = 10;

/** Milliseconds of CPU that processes have taken so far, as the kernel of Linux counts them. */
export function cpuOf(processes: readonly number[]): number {
  return processes.reduce((sum, id) => sum + cpuOfOne(id), 0);
}

/** The fields after the name, which stands in brackets and may have spaces; the 12th and 13th are what it took as user and as system. */
function cpuOfOne(id: number): number {
  const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** The same of this process, more exactly. */
export function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
