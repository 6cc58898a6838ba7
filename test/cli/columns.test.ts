import { expect, test } from 'vitest';
import { Columns } from '../../src/cli/output/columns.ts';

test('as many rows as a large cluster has pods are lined up', () => {
  const rows = Array.from({ length: 150_000 }, (_, i) => [`web-${i}`, 'Running']);
  const lines = new Columns().lines([['NAME', 'STATUS'], ...rows]).split('\n');
  expect(lines.slice(0, 2)).toEqual(['NAME         STATUS', 'web-0        Running']);
  expect(lines.at(-2)).toBe('web-149999   Running');
});
