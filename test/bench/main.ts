/** `npm run bench`: prints what things cost, as ratios within the run. */
import { parseArgs } from 'node:util';
import { runInChromium } from './chromium.ts';
import { printCosts } from './cost/index.ts';
import { rows } from './node/index.ts';
import { describeRow } from './row.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    node: { type: 'boolean', default: false },
    chromium: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) {
  console.log('usage: npm run bench -- [cost] [--node | --chromium] [--only TEXT]');
  process.exit(0);
}

if (positionals[0] === 'cost') {
  await printCosts(values.only, (line) => console.log(line));
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
