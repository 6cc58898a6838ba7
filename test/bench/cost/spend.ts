/** What some work took of the machine. */
export interface Spent {
  /** Milliseconds by the clock. */
  readonly wall: number;
  /** Milliseconds of CPU, of all threads of the process. */
  readonly cpu: number;
}

/** Does some work and says what it took. */
export async function spend(work: () => Promise<unknown>): Promise<Spent> {
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wall: performance.now() - wall, cpu: (user + system) / 1000 };
}
