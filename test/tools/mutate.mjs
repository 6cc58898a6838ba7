/**
 * Changes the code of one room in many small ways, one at a time, and counts how many changes its tests notice:
 *
 *     npm run mutate -- --room controllers                      all of src/controllers, with test/controllers and test/client
 *     npm run mutate -- --room controllers --files job/plan.ts  only these files of the room (comma-separated, globs)
 *     npm run mutate -- --room storage --tests storage,hosts    with these test folders
 *
 * Survivors are listed; the scores by room stand in docs/quality.md.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    room: { type: 'string' },
    files: { type: 'string', default: '**/*.ts' },
    tests: { type: 'string' },
    concurrency: { type: 'string', default: '1' },
  },
});
if (!values.room) {
  console.error('usage: npm run mutate -- --room ROOM [--files GLOB,…] [--tests FOLDER,…] [--concurrency N]');
  process.exit(2);
}

const { room, files } = values;
const mutate = files
  .split(',')
  .map((file) => `src/${room}/${file}`)
  .join(',');
const env = { ...process.env, MUTATE_TESTS: values.tests ?? room };
const args = [
  'stryker',
  'run',
  'test/tools/stryker.config.mjs',
  '--mutate',
  mutate,
  '--concurrency',
  values.concurrency,
];
const child = spawn('npx', args, { stdio: 'inherit', env });
child.on('exit', (code) => process.exit(code ?? 1));
