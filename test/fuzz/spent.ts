import { readFileSync } from 'node:fs';

/**
 * Milliseconds that this thread waited for a processor, since it began. On a busy machine an answer takes as long as others
 * work; that is not its own time. 0 where the system does not tell.
 */
export function waitedForProcessor(): number {
  try {
    const [, waited] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
    return Number(waited) / 1e6;
  } catch {
    return 0;
  }
}
