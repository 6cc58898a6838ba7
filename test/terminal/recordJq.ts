/** Runs the lines of `jqLines.ts` with jq 1.6 and keeps what it prints in `jq.json`, and the names of its functions in `jqNames.json`: `node test/tools/run.mjs test/terminal/recordJq.ts`. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { lines } from './jqLines.ts';

const { stdout } = spawnSync('jq', ['--version'], { encoding: 'utf8' });
if (!stdout?.startsWith('jq-1.6')) console.log('Skipped: there is no jq 1.6 here.');
else {
  const recorded = lines.map(({ args, input }) => {
    const {
      stdout: out,
      stderr: err,
      status: code,
    } = spawnSync('jq', args, { input, encoding: 'utf8', env: { HOME: '/home/you' } });
    return { args, input, out, err, code };
  });
  writeFileSync('test/terminal/jq.json', `${JSON.stringify(recorded, null, 2)}\n`);
  const names = spawnSync('jq', ['-nc', '[builtins] | flatten | sort'], { encoding: 'utf8' }).stdout;
  writeFileSync('test/terminal/jqNames.json', names);
  console.log(`${recorded.length} lines recorded.`);
}
