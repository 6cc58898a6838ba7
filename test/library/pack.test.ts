import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Outside of the project, where none of its packages can be found.
const out = mkdtempSync(join(tmpdir(), 'vitrine-package-'));

beforeAll(() => void execFileSync(process.execPath, ['test/tools/pack.mjs', '--out', out]), 120_000);
afterAll(() => rmSync(out, { recursive: true, force: true }));

test('the package depends on no other, and has the licences of those that it holds', () => {
  for (const manifest of ['package.json', join(out, 'package.json')])
    expect(JSON.parse(readFileSync(manifest, 'utf8'))).not.toHaveProperty('dependencies');
  const licences = readFileSync(join(out, 'LICENSES.txt'), 'utf8');
  for (const name of ['jose', 'ws', 'yaml', '@peculiar/x509'])
    expect(licences).toMatch(new RegExp(`^${name} [\\d.]+ `, 'm'));
  for (const name of ['react', 'monaco-editor', '@xterm/xterm', 'msw', 'dexie'])
    expect(licences).not.toMatch(new RegExp(`^${name} `, 'm'));
});

test('`npm pack` takes nothing else along', () => {
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' });
  const [{ files }] = JSON.parse(listed) as [{ files: { path: string }[] }];
  const isOwn =
    /^(package\.json|README\.md|docs\/library\.md|dist-package\/([^/]+\.(js|d\.ts)|LICENSES\.txt)|dist-package\/chunks\/[^/]+\.js)$/;
  expect(files.map(({ path }) => path).filter((path) => !isOwn.test(path))).toEqual([]);
});

test('what is packed runs by itself, and its types stand by themselves', { timeout: 60_000 }, () => {
  mkdirSync(join(out, 'try'));
  const program = join(out, 'try', 'program.mjs');
  writeFileSync(
    program,
    `import { createCluster } from '../index.js';
     const cluster = await createCluster({ clock: 'manual', seed: 1 });
     const { gitVersion } = await (await cluster.fetch('/version')).json();
     await cluster.stop();
     console.log(gitVersion);`,
  );
  expect(execFileSync(process.execPath, [program], { encoding: 'utf8' })).toMatch(/^v1\.20\./);
  const types = readFileSync(join(out, 'index.d.ts'), 'utf8');
  expect(types).toContain('export declare const createCluster: CreateCluster;');
  expect(types).not.toContain('import');
});
