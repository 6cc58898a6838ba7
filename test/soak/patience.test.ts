import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/std/index.ts';
import { ProcessGround } from '../simulation/processGround.ts';
import { Simulation } from '../simulation/simulation.ts';
import { faultyDisk } from './faultyDisk.ts';
import { HangingWebhook, WEBHOOKS } from './hangingWebhook.ts';
import { added } from './leaks.ts';
import { whileTimePasses } from './patience.ts';

/** A cluster on a disk that can fail, with a webhook that never answers. */
async function start() {
  const disk = faultyDisk('memory', seededRandom('disk'));
  const webhook = new HangingWebhook();
  const ground = await ProcessGround.open(1, async () => ({ backend: await disk.open(), fetch: webhook.fetch }));
  return { disk, webhook, ground, simulation: await Simulation.start(1, ground) };
}

describe('a request whose webhook hangs', () => {
  test('ends though the disk was full when it was sent', async () => {
    const { disk, webhook, ground, simulation } = await start();
    // What an aborted deletion leaves behind: on a full disk the configuration could not be created.
    await simulation.send('POST', WEBHOOKS, webhook.configuration);
    disk.fault = 'full';
    const hanging = webhook.hang(simulation);
    expect(await whileTimePasses(ground, disk, hanging)).toBe(true);
    expect(webhook.open).toBe(0);
    await ground.stop();
  });
});

test('names the keys that were not stored before', () => {
  expect(added(new Set(['/a', '/b']), new Set(['/b', '/c', '/d']))).toEqual([
    '2 keys are stored that were not there before: /c, /d',
  ]);
  expect(added(new Set(['/a']), new Set())).toEqual([]);
});
