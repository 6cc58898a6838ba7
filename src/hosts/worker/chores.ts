import { exportDatabase, removeDatabase, repairDatabase, restoreDatabase, type Salvage } from '../../cluster/index.ts';
import { callOff, placeOf, writerLock } from '../tabs/index.ts';
import type { ToWorker } from './messages.ts';

/** Operations on a database that is not open. Removing waits until all users have closed it, as requested. */
export function doChore({ name, chore, secrets = false, lines }: ToWorker & { type: 'chore' }): Promise<Blob | string> {
  const place = placeOf(name);
  if (chore === 'remove') callOff(place);
  return navigator.locks.request(writerLock(place), { ifAvailable: chore !== 'remove' }, async (lock) => {
    if (!lock) throw new Error(`${name} is open in another tab; do it there`);
    if (chore === 'export') return collect(exportDatabase(name, secrets));
    if (chore === 'import') return importLines(name, lines);
    if (chore === 'repair') return describeRepair(name);
    await removeDatabase(name);
    return `${name} is gone`;
  });
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Blob> {
  const parts: BlobPart[] = [];
  for await (const chunk of chunks) parts.push(chunk.slice());
  return new Blob(parts, { type: 'application/x-ndjson' });
}

async function importLines(name: string, lines = new Blob()): Promise<string> {
  await restoreDatabase(name, lines.stream());
  return `${name} is there`;
}

async function describeRepair(name: string): Promise<string> {
  const salvage = await repairDatabase(name);
  if (!salvage) return 'nothing was damaged';
  const rows = `${salvage.dropped} damaged ${salvage.dropped === 1 ? 'row' : 'rows'}`;
  return `kept ${salvage.keys} objects up to revision ${salvage.revision}, dropped ${rows}${lostText(salvage.lost)}`;
}

function lostText(lost: Salvage['lost']): string {
  if (lost.length === 0) return '';
  const ranges = lost.map(({ from, to }) =>
    to === undefined ? `${from} and later` : from === to ? `${from}` : `${from} to ${to}`,
  );
  return `; lost are the revisions ${ranges.join(', ')}: what was written only then is as it was before`;
}
