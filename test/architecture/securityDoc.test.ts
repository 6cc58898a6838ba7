import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A file of tests, and a test of it that is named behind it. */
const NAMED = /`((?:test|e2e)\/[\w./-]+\.tsx?)`(?: “([^”]+)”)?/g;

test('docs/security.md names only tests that exist', () => {
  const named = [...readFileSync('docs/security.md', 'utf8').matchAll(NAMED)];
  expect(named.length).toBeGreaterThan(30);
  const missing = named.filter(
    ([, path = '', name = '']) => !existsSync(path) || !readFileSync(path, 'utf8').includes(name),
  );
  expect(missing.map(([text]) => text)).toEqual([]);
});

test('every attack in docs/security.md names a test', () => {
  const rows = readFileSync('docs/security.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (tried|---)/.test(line));
  expect(rows.filter((row) => row.match(NAMED) === null)).toEqual([]);
});
