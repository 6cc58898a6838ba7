import { readFileSync } from 'node:fs';

/** Milliseconds without the time that this thread waited for a processor: on a busy machine other work does not count. */
export const ownTime = (): number => performance.now() - waitedForProcessor();

/** Milliseconds since the thread began. 0 where the system does not tell. */
function waitedForProcessor(): number {
  try {
    const [, waited] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
    return Number(waited) / 1e6;
  } catch {
    return 0;
  }
}
