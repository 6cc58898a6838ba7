import type { Pod } from '../../client/index.ts';
import { pullProblem } from '../../programs/index.ts';
import { formatDuration, type objects } from '../../schema/index.ts';
import { delay, isImageName, type StopSignal } from '../../std/index.ts';
import { FIRST_BACKOFF, LONGEST_BACKOFF } from './backoff.ts';
import type { AgentEnvironment } from './environment.ts';
import { faultsOf } from './faults.ts';
import { refusalOf } from './pullSecrets.ts';

/** A container that needs its image. */
export interface Puller {
  /** The current spec of the container. */
  readonly container: () => objects.Container;
  readonly pod: () => Pod;
  readonly environment: AgentEnvironment;
  /** Aborts when the image isn't needed any more. */
  readonly stopping: StopSignal;
  event(type: 'Normal' | 'Warning', reason: string, message: string): void;
  /** Sets the container's waiting reason. */
  wait(reason: string, message: string): void;
  /** Waits for a number of milliseconds, or until the pod changes. */
  pause(ms: number): Promise<void>;
}

/** Resolves to whether the image is available; retries with back-off until the container is stopped. */
export async function pullImage(puller: Puller): Promise<boolean> {
  let backoff = FIRST_BACKOFF;
  while (!puller.stopping.aborted) {
    const { image = '', imagePullPolicy } = puller.container();
    const quoted = JSON.stringify(image);
    if (imagePullPolicy !== 'Always' && puller.environment.images.has(image)) {
      puller.event('Normal', 'Pulled', `Container image ${quoted} already present on machine`);
      return true;
    }
    if (await tryPull(puller, image)) return !puller.stopping.aborted;
    if (imagePullPolicy !== 'Never' && isImageName(image)) {
      const message = `Back-off pulling image ${quoted}`;
      puller.event('Normal', 'BackOff', message);
      puller.wait('ImagePullBackOff', message);
    }
    await puller.pause(backoff);
    const isAnother = (puller.container().image ?? '') !== image;
    backoff = isAnother ? FIRST_BACKOFF : Math.min(backoff * 2, LONGEST_BACKOFF);
  }
  return false;
}

async function tryPull(puller: Puller, image: string): Promise<boolean> {
  const { environment, stopping, pod } = puller;
  const quoted = JSON.stringify(image);
  if (!isImageName(image)) {
    const message = `Failed to apply default image tag ${quoted}: couldn't parse image reference ${quoted}: invalid reference format`;
    puller.event('Warning', 'InspectFailed', message);
    return fail(puller, 'InvalidImageName', message);
  }
  if (puller.container().imagePullPolicy === 'Never')
    return fail(puller, 'ErrImageNeverPull', `Container image ${quoted} is not present with pull policy of Never`);
  puller.event('Normal', 'Pulling', `Pulling image ${quoted}`);
  const began = environment.clock.now();
  const problem = faultsOf(pod()).failsPull
    ? 'rpc error: code = Unknown desc = the registry does not answer (simulated)'
    : (pullProblem(image) ?? (await refusalOf(image, pod(), environment)));
  if (problem !== undefined) {
    await delay(environment.clock, 300, stopping);
    puller.event('Warning', 'Failed', `Failed to pull image ${quoted}: ${problem}`);
    return fail(puller, 'ErrImagePull', problem);
  }
  await environment.images.pull(image);
  const took = formatDuration(environment.clock.now() - began);
  if (!stopping.aborted) puller.event('Normal', 'Pulled', `Successfully pulled image ${quoted} in ${took}`);
  return true;
}

function fail(puller: Puller, reason: string, message: string): false {
  puller.event('Warning', 'Failed', `Error: ${reason}`);
  puller.wait(reason, message);
  return false;
}
