/** `npm run bench`: prints what things cost, as ratios within the run. */
import { parseArgs } from 'node:util';
import { runInChromium } from './chromium.ts';
import { printCosts } from './cost/index.ts';
import { runLoad } from './load/index.ts';
import { rows } from './node/index.ts';
import { describeRow } from './row.ts';
import { compareServers } from './servers/index.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    node: { type: 'boolean', default: false },
    chromium: { type: 'boolean', default: false },
    token: { type: 'string', default: 'admintoken' },
    rounds: { type: 'string', default: '3' },
    nodes: { type: 'string', default: '1000' },
    pods: { type: 'string', default: '10000' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) {
  console.log('usage: npm run bench -- [cost] [--node | --chromium] [--only TEXT]');
  console.log('       npm run bench -- servers ADDRESS… REFERENCE [--token TOKEN] [--rounds N] [--only TEXT]');
  console.log('       npm run bench -- load [--nodes N] [--pods N]');
  console.log(
    '       an ADDRESS is http://HOST:PORT or https://HOST:PORT, with #PID,… for its CPU time, or in-process,',
  );
  console.log(
    '       or chromium-memory or chromium-indexeddb, whose client is in a page and takes the port to the worker',
  );
  process.exit(0);
}

if (positionals[0] === 'cost') {
  await printCosts(values.only, (line) => console.log(line));
  process.exit(0);
}

if (positionals[0] === 'load') {
  await runLoad({ nodes: Number(values.nodes), pods: Number(values.pods) }, (line) => console.log(line));
  process.exit(0);
}

if (positionals[0] === 'servers') {
  const addresses = positionals.slice(1);
  const { token, only } = values;
  const rounds = Number(values.rounds);
  await compareServers({ addresses, token, rounds, only }, (line) => console.log(line));
  process.exit(0);
}

const everywhere = !values.node && !values.chromium;
if (everywhere || values.node) {
  console.log(`In Node ${process.versions.node}`);
  for (const row of rows.filter(({ name }) => name.includes(values.only))) {
    console.log(`  ${describeRow(row, await row.run())}`);
  }
}
if (everywhere || values.chromium) await runInChromium(values.only, (line) => console.log(line));
process.exit(0);
