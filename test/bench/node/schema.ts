import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import type { Row } from '../row.ts';
import { byTurns, thousands, timed } from '../row.ts';

const AIM_BYTES = 150_000;

const WHOLE = `
  import { createScheme, kinds } from './src/schema/index.ts';
  import { namesOf } from './src/names/index.ts';
  globalThis.scheme = createScheme(namesOf('cluster.io'), kinds);`;

/** A bundle of what `code` imports, minified: the text of its chunks. */
async function bundled(code: string): Promise<readonly string[]> {
  const entry = resolve(process.cwd(), 'weighed.ts');
  const bundle = await rolldown({
    input: entry,
    logLevel: 'silent',
    plugins: [
      { name: 'entry', load: (id) => (id === entry ? code : null), resolveId: (id) => (id === entry ? id : null) },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false });
  await bundle.close();
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? [chunk.code] : []));
}

/** Reads and runs a module as if it had never been seen. */
let seen = 0;
async function evaluate(code: string): Promise<number> {
  const folder = resolve('node_modules/.cache/bench');
  const file = resolve(folder, `schema-${process.pid}-${seen++}.mjs`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, code);
  try {
    return await timed(() => import(pathToFileURL(file).href));
  } finally {
    rmSync(file);
  }
}

export const schemaRows: readonly Row[] = [
  {
    name: 'start-up of the whole schema',
    aim: '≤ 50 ms',
    run: async () => {
      const [code = ''] = await bundled(WHOLE);
      const measured = await byTurns(
        () => evaluate(code),
        () => evaluate(''),
      );
      return {
        subject: `${measured.subject.toFixed(1)} ms`,
        reference: `${measured.reference.toFixed(1)} ms of an empty module`,
        ratio: measured.subject / 50,
      };
    },
  },
  {
    name: 'weight of the whole schema',
    aim: '≤ 150 KB compressed',
    run: async () => {
      const bytes = (await bundled(WHOLE)).reduce((sum, code) => sum + gzipSync(code).byteLength, 0);
      return {
        subject: `${thousands(bytes)} bytes`,
        reference: `an aim of ${thousands(AIM_BYTES)}`,
        ratio: bytes / AIM_BYTES,
      };
    },
  },
];
