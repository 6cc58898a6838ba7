import type {} from '../benchPage.ts';
import { rows } from './index.ts';
import { openContender, runContender } from './servers.ts';

window.bench = {
  rows,
  run: (name) => {
    const row = rows.find((candidate) => candidate.name === name);
    if (!row) throw new Error(`no row is called ${name}`);
    return row.run();
  },
  open: openContender,
  round: runContender,
};
