import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { namesOf } from '../../../src/names/index.ts';
import { createScheme, kinds } from '../../../src/schema/index.ts';
import type { Row } from '../row.ts';
import { byTurns, thousands, timed } from '../row.ts';

const AIM_BYTES = 150_000;

/** A bundle of what `code` imports, minified, compressed: its size in bytes. */
async function weigh(code: string): Promise<number> {
  const entry = resolve(process.cwd(), 'weighed.ts');
  const bundle = await rolldown({
    input: entry,
    logLevel: 'silent',
    plugins: [
      { name: 'entry', load: (id) => (id === entry ? code : null), resolveId: (id) => (id === entry ? id : null) },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  return output.reduce((sum, chunk) => sum + (chunk.type === 'chunk' ? gzipSync(chunk.code).byteLength : 0), 0);
}

export const schemaRows: readonly Row[] = [
  {
    name: 'start-up of the whole schema',
    aim: '≤ 50 ms',
    run: async () => {
      const text = JSON.stringify(kinds.map(({ resource }) => resource));
      const measured = await byTurns(
        () => timed(async () => void createScheme(namesOf('cluster.io'), kinds)),
        () => timed(async () => void JSON.parse(text)),
      );
      return {
        subject: `${measured.subject.toFixed(1)} ms`,
        reference: 'an aim of 50 ms',
        ratio: measured.subject / 50,
      };
    },
  },
  {
    name: 'weight of the whole schema',
    aim: '≤ 150 KB compressed',
    run: async () => {
      const bytes = await weigh(
        `import { createScheme, kinds } from './src/schema/index.ts'; globalThis.scheme = (names) => createScheme(names, kinds);`,
      );
      return {
        subject: `${thousands(bytes)} bytes`,
        reference: `an aim of ${thousands(AIM_BYTES)}`,
        ratio: bytes / AIM_BYTES,
      };
    },
  },
];
