import type { Report, Written } from './writer.ts';

export interface Outcome {
  /** How many times a worker was killed, and in how many of them after it had opened the storage. */
  readonly killed: number;
  readonly opened: number;
  readonly acknowledged: number;
  /** What was acknowledged and not there afterwards, or half there. */
  readonly lost: readonly string[];
}

const NAME = 'kill';

/** What has been acknowledged of each key last, over all rounds. */
const acknowledged = new Map<string, Written>();
const lost: string[] = [];
let opened = 0;
let acknowledgements = 0;

/** Starts a worker and kills it after `ms`; without, once it has opened the storage. */
function round(seed: number, ms?: number): Promise<void> {
  const worker = new Worker(new URL('./writer.ts', import.meta.url), { type: 'module' });
  return new Promise((resolve) => {
    const kill = (): void => {
      worker.terminate();
      // What it had said before it died still arrives; it counts.
      setTimeout(resolve, 0);
    };
    worker.onmessage = ({ data }: MessageEvent<Report>) => {
      receive(data);
      if (data.type !== 'acknowledged' && ms === undefined) kill();
    };
    worker.postMessage({ name: NAME, seed });
    if (ms !== undefined) setTimeout(kill, ms);
  });
}

function receive(report: Report): void {
  if (report.type === 'failed') lost.push(report.message);
  else if (report.type === 'opened') compare(report.revision, report.found);
  else {
    acknowledgements++;
    for (const written of report.written) acknowledged.set(written.key, written);
  }
}

function compare(revision: number, found: readonly Written[]): void {
  opened++;
  const byKey = new Map(found.map((entry) => [entry.key, entry]));
  for (const expected of acknowledged.values()) {
    const entry = byKey.get(expected.key);
    const gone = !entry || entry.revision < expected.revision;
    const other = entry?.revision === expected.revision && entry.value !== expected.value;
    if (gone || other) lost.push(`${expected.key} at ${expected.revision}: found ${entry?.revision ?? 'nothing'}`);
  }
  const [left, right] = [byKey.get('/pair/left'), byKey.get('/pair/right')];
  if (left?.value !== right?.value || left?.revision !== right?.revision) lost.push('half a commit');
  if (found.some((entry) => entry.revision > revision)) lost.push('an entry from the future');
}

/** Kills `rounds` workers at random moments, and looks after each what the next one finds. */
async function run(rounds: number): Promise<Outcome> {
  for (let i = 0; i < rounds; i++) await round(i, Math.random() * 250);
  await round(rounds);
  return { killed: rounds, opened, acknowledged: acknowledgements, lost };
}

Object.assign(window, { run });
