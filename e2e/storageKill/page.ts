import type { Report, Written } from './writer.ts';

export interface Outcome {
  readonly killed: number;
  /** How often what a killed worker left behind was opened. */
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

/** When a worker is killed: so many milliseconds after it was started, or after it had opened the storage. */
interface Fate {
  readonly after: 'start' | 'open';
  readonly ms: number;
}

/** Starts a worker, and resolves when it is dead and everything that it had said has been heard. */
function round(seed: number, { after, ms }: Fate): Promise<void> {
  const worker = new Worker(new URL('./writer.ts', import.meta.url), { type: 'module' });
  return new Promise((resolve) => {
    const kill = (): void => {
      worker.terminate();
      setTimeout(resolve, 0);
    };
    worker.onmessage = ({ data }: MessageEvent<Report>) => {
      receive(data);
      if (after === 'open' && data.type !== 'acknowledged') setTimeout(kill, ms);
    };
    worker.postMessage({ name: NAME, seed });
    if (after === 'start') setTimeout(kill, ms);
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

/** Kills workers at random moments, every fourth maybe before it gets to write, and looks what the next one finds. */
async function run(rounds: number): Promise<Outcome> {
  for (let i = 0; i < rounds; i++) {
    const early = i % 4 === 0;
    await round(i, early ? { after: 'start', ms: Math.random() * 200 } : { after: 'open', ms: Math.random() * 60 });
  }
  await round(rounds, { after: 'open', ms: 0 });
  return { killed: rounds, opened, acknowledged: acknowledgements, lost };
}

Object.assign(window, { run });
