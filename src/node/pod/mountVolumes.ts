import type { StopSignal } from '../../std/index.ts';
import type { Pod } from '../../client/index.ts';
import type { PodVolumes } from '../volumes/podVolumes.ts';
import type { AgentEnvironment } from './environment.ts';

const FIRST_RETRY = 500;
const LONGEST_RETRY = 122_000;
/** Milliseconds after which the agent reports missing volumes again. */
const TIMEOUT = 123_000;

/** Waits for a pod's volumes; retries with back-off, or when another volume is attached. */
export async function mountVolumes(
  volumes: PodVolumes,
  pod: () => Pod,
  { clock, attachments, recorder }: AgentEnvironment,
  stopping: StopSignal,
): Promise<void> {
  const warn = (message: string): void => recorder.record(pod(), 'Warning', 'FailedMount', message);
  let timeout = clock.now() + TIMEOUT;
  for (let wait = FIRST_RETRY; !stopping.aborted; wait = Math.min(wait * 2, LONGEST_RETRY)) {
    const unready = await volumes.prepare();
    if (!unready || stopping.aborted) return;
    unready.problems.forEach(warn);
    if (clock.now() >= timeout) {
      warn(volumes.unmountedText(unready.volumes, 'timed out waiting for the condition'));
      timeout = clock.now() + TIMEOUT;
    }
    await attachments.pause(clock, Math.min(wait, timeout - clock.now()), stopping);
  }
}
