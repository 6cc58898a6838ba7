/** How a node pulls the image of a container: events, waiting reasons and pauses. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Pod } from '../../../src/client/index.ts';
import { ImageStore } from '../../../src/node/imageStore.ts';
import type { AgentEnvironment } from '../../../src/node/pod/environment.ts';
import { pullImage } from '../../../src/node/pod/pullImage.ts';
import type { objects } from '../../../src/schema/index.ts';
import { manualClock } from '../../../src/std/index.ts';

interface Told {
  readonly told: string[];
  readonly waits: string[];
  readonly pauses: number[];
  readonly pulled: boolean;
}

/** Pulls until it works, or until it has paused for some times. */
async function pull(specs: readonly string[], present: readonly string[] = [], pauses = 1): Promise<Told> {
  const clock = manualClock(0);
  const images = new ImageStore(clock, () => undefined);
  for (const image of present) images.keep(image);
  const environment: Partial<AgentEnvironment> = { clock, images };
  const stop = new AbortController();
  const result: Omit<Told, 'pulled'> = { told: [], waits: [], pauses: [] };
  const pulling = pullImage({
    container: () => parse(specs[Math.min(result.pauses.length, specs.length - 1)] ?? '{}') as objects.Container,
    pod: () => ({ metadata: {}, spec: {}, status: {} }) as Pod,
    environment: environment as AgentEnvironment,
    stopping: stop.signal,
    event: (type, reason, message) => void result.told.push(`${type} ${reason}: ${message}`),
    wait: (reason, message) => void result.waits.push(`${reason}: ${message}`),
    pause: async (ms) => {
      result.pauses.push(ms);
      if (result.pauses.length === pauses) stop.abort();
    },
  });
  await clock.step(3_600_000);
  return { ...result, pulled: await pulling };
}

describe('an image', () => {
  test.each(['IfNotPresent', 'Never'])('that is there is not pulled: %s', async (policy) => {
    const { told, pulled } = await pull([`{image: busybox, imagePullPolicy: ${policy}}`], ['busybox']);
    expect([told, pulled]).toEqual([['Normal Pulled: Container image "busybox" already present on machine'], true]);
  });

  test.each([
    ['IfNotPresent', [], /^Normal Pulled: Successfully pulled image "busybox" in \S+s$/],
    ['Always', ['busybox'], /^Normal Pulled: Successfully pulled image "busybox" in 50ms$/],
  ])('is pulled: %s, where %j is there', async (policy, present, last) => {
    const { told, waits, pulled } = await pull([`{image: busybox, imagePullPolicy: ${policy}}`], present);
    expect(told).toEqual(['Normal Pulling: Pulling image "busybox"', expect.stringMatching(last)]);
    expect([waits, pulled]).toEqual([[], true]);
  });

  test('that may not be pulled is waited for', async () => {
    const { told, waits, pulled } = await pull(['{image: busybox, imagePullPolicy: Never}']);
    expect(told).toEqual(['Warning Failed: Error: ErrImageNeverPull']);
    expect(waits).toEqual(['ErrImageNeverPull: Container image "busybox" is not present with pull policy of Never']);
    expect(pulled).toBe(false);
  });

  test('without a proper name is not pulled', async () => {
    const message =
      'Failed to apply default image tag "A:B:C": couldn\'t parse image reference "A:B:C": invalid reference format';
    const { told, waits } = await pull(['{image: "A:B:C"}']);
    expect(told).toEqual([`Warning InspectFailed: ${message}`, 'Warning Failed: Error: InvalidImageName']);
    expect(waits).toEqual([`InvalidImageName: ${message}`]);
  });

  test('is tried again after pauses that double, from the first where it changes', async () => {
    const bad = '{image: "A:B:C"}';
    expect((await pull([bad], [], 7)).pauses).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
    const { pauses, pulled } = await pull([bad, bad, '{image: "D:E:F"}', '{image: busybox}'], [], 9);
    expect([pauses, pulled]).toEqual([[10_000, 20_000, 10_000], true]);
  });

  test('is tried no more once the container stops', async () => {
    const { pauses, pulled } = await pull(['{image: "A:B:C"}', '{image: busybox}'], ['busybox'], 1);
    expect([pauses, pulled]).toEqual([[10_000], false]);
  });
});
