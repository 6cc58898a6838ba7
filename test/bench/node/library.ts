import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { median, type Row } from '../row.ts';

const STARTS = 11;
/** Milliseconds that a test may wait for its cluster. */
const AIM = 300;

/** The median of the milliseconds that new processes need for the import and the start. */
function startsOf(call: string): { readonly imported: number; readonly started: number } {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  execFileSync(process.execPath, ['test/tools/pack.mjs', '--out', folder]);
  const program = `
    const from = performance.now();
    const { createCluster, listen } = await import(${JSON.stringify(pathToFileURL(join(folder, 'index.js')).href)});
    const imported = performance.now();
    const cluster = await ${call};
    console.log(imported - from, performance.now() - imported);
    await cluster.stop();`;
  const start = (): number[] => {
    const text = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
    return text.split(' ').map(Number);
  };
  // The first one keeps the compiled code for the others.
  start();
  const times = Array.from({ length: STARTS }, start);
  rmSync(folder, { recursive: true });
  return { imported: median(times.map(([ms = NaN]) => ms)), started: median(times.map(([, ms = NaN]) => ms)) };
}

const row = (what: string, call: string): Row => ({
  name: `start of the library, ${what}`,
  aim: '≤ 1',
  run: async () => {
    const { imported, started } = startsOf(call);
    const subject = `${started.toFixed(0)} ms after an import of ${imported.toFixed(0)} ms`;
    return { subject, reference: `${AIM} ms`, ratio: started / AIM };
  },
});

export const libraryRows: readonly Row[] = [
  row('in process', 'createCluster({ nodes: 1 })'),
  row('with a seed', "createCluster({ nodes: 1, clock: 'manual', seed: 1 })"),
  row('at a port with TLS', 'listen({ nodes: 1 })'),
];
