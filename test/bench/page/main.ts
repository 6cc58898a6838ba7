import type { BenchPage } from '../chromium.ts';
import { rows } from './index.ts';

const bench: BenchPage = {
  rows,
  run: (name) => {
    const row = rows.find((candidate) => candidate.name === name);
    if (!row) throw new Error(`no row is called ${name}`);
    return row.run();
  },
};

Object.assign(window, { bench });
