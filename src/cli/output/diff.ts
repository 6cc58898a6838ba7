/** Differences as the program `diff -u` prints them. */
import { structuredPatch } from 'diff';

export interface Sides {
  /** Empty for what is not there yet. */
  readonly before: string;
  readonly after: string;
}

/** The difference between two texts that stand for files of this name; empty where there is none. `now`: milliseconds. */
export function unifiedDiff(name: string, { before, after }: Sides, now: number): string {
  if (before === after) return '';
  const [live, merged] = [`/tmp/LIVE-${now}/${name}`, `/tmp/MERGED-${now}/${name}`];
  const { hunks } = structuredPatch(live, merged, before, after, undefined, undefined, { context: 3 });
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: body }) => [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    ...body,
  ]);
  return [
    `diff -u -N ${live} ${merged}`,
    `--- ${live}\t${timeText(before === '' ? 0 : now)}`,
    `+++ ${merged}\t${timeText(now)}`,
    ...lines,
    '',
  ].join('\n');
}

/** A range of one line is its number alone. */
const range = (start: number, lines: number): string =>
  lines === 1 ? String(start) : `${lines === 0 ? 0 : start},${lines}`;

const timeText = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').replace('Z', '000000 +0000');
