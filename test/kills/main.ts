/**
 * `npm run kills [-- --rounds N]`: writes to a data directory from a process that is killed at a random moment, N times, and
 * checks each time that what it said was written is there. Prints one line; ends with 1 when something is lost.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { segmentBackend } from '../../src/hosts/node/data/segments.ts';
import { realClock } from '../../src/std/index.ts';
import { openStorage, type Storage } from '../../src/storage/index.ts';
import { killServers, runServer } from './servers.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    writer: { type: 'string' },
    /** Kills servers on one etcd instead. */
    servers: { type: 'boolean', default: false },
    server: { type: 'string' },
    address: { type: 'string', default: '' },
  },
});

/** So many keys are written again and again: segments are given up while the process is killed. */
const KEYS = 50;
const keyOf = (count: number): string => `/key-${count % KEYS}`;

async function open(directory: string): Promise<Storage> {
  const backend = await segmentBackend(directory, { segmentBytes: 64 << 10, copyBytes: 8 << 10 });
  return openStorage({ backend, clock: realClock(), keep: 50 });
}

/** The highest count that storage holds. */
function newest(storage: Storage): number {
  const { entries } = storage.range({ start: '/', end: '0' });
  return entries.reduce((most, { value }) => Math.max(most, Number(value.split(' ')[0])), 0);
}

/** Writes one count after the other, three at a time, and says which are written. */
async function writeUntilKilled(directory: string): Promise<never> {
  const storage = await open(directory);
  const text = 'x'.repeat(200);
  for (let count = newest(storage) + 1; ; count += 3) {
    const counts = [count, count + 1, count + 2];
    await Promise.all(
      counts.map((each) => storage.commit([{ type: 'put', key: keyOf(each), value: `${each} ${text}` }])),
    );
    process.send?.(count + 2);
  }
}

async function round(directory: string, known: number): Promise<{ said: number; held: number; missing: string[] }> {
  const writer = fork(fileURLToPath(import.meta.url), ['--writer', directory], { serialization: 'json' });
  let said = known;
  writer.on('message', (count) => (said = Number(count)));
  await Promise.race([once(writer, 'message'), once(writer, 'exit')]);
  await delay(Math.random() * 60);
  writer.kill('SIGKILL');
  if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit');
  const storage = await open(directory);
  const held = newest(storage);
  const missing: string[] = [];
  for (let count = Math.max(1, held - KEYS + 1); count <= said; count++) {
    const value = storage.get(keyOf(count))?.value ?? '';
    if (Number(value.split(' ')[0]) < count) missing.push(`${count}`);
  }
  await storage.close();
  return { said, held, missing };
}

async function main(rounds: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'vitrine-kills-'));
  try {
    let known = 0;
    for (let i = 1; i <= rounds; i++) {
      const { said, held, missing } = await round(directory, known);
      if (missing.length > 0 || held < said)
        throw new Error(
          `round ${i}: ${said} was confirmed, ${held} is there; missing: ${missing.join(', ') || 'the newest'}`,
        );
      known = held;
      if (i % 50 === 0) console.log(`${i} kills, ${known} writes`);
    }
    console.log(`${rounds} kills, ${known} writes, none lost`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

if (values.writer !== undefined) await writeUntilKilled(values.writer);
else if (values.server !== undefined) await runServer(values.server, values.address);
else if (values.servers) console.log(await killServers(Number(values.rounds)));
else await main(Number(values.rounds));
