import { GCProfiler } from 'node:v8';

/** What some work took of the machine. */
export interface Spent {
  /** Milliseconds by the clock. */
  readonly wall: number;
  /** Milliseconds of CPU, of all threads of the process. */
  readonly cpu: number;
  /** Bytes allocated on the heap: what is there more in the end, and what was collected meanwhile. */
  readonly bytes: number;
}

/** Does some work and says what it took. */
export async function spend(work: () => Promise<unknown> | void): Promise<Spent> {
  const collections = new GCProfiler();
  collections.start();
  const heap = process.memoryUsage().heapUsed;
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  const grown = process.memoryUsage().heapUsed - heap;
  const freed = collections
    .stop()
    .statistics.map(({ beforeGC, afterGC }) => used(beforeGC) - used(afterGC))
    .reduce((a, b) => a + b, 0);
  return { wall: performance.now() - wall, cpu: (user + system) / 1000, bytes: grown + freed };
}

const used = ({ heapStatistics }: { heapStatistics: { usedHeapSize: number } }): number => heapStatistics.usedHeapSize;

/** The slope of the line through points on log-log paper: 1 where twice as much costs twice as much. */
export function slope(points: readonly (readonly [size: number, cost: number])[]): number {
  const logs = points.map(([size, cost]) => [Math.log(size), Math.log(cost)] as const);
  const mean = (of: (point: readonly [number, number]) => number): number =>
    logs.reduce((sum, point) => sum + of(point), 0) / logs.length;
  const [x, y] = [mean(([size]) => size), mean(([, cost]) => cost)];
  const over = logs.reduce((sum, [size, cost]) => sum + (size - x) * (cost - y), 0);
  return over / logs.reduce((sum, [size]) => sum + (size - x) ** 2, 0);
}
