import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Under node_modules, so that what the package depends on is found.
const out = resolve('node_modules/.cache', `package-${process.pid}`);

beforeAll(() => void execFileSync(process.execPath, ['test/tools/pack.mjs', '--out', out]), 120_000);
afterAll(() => rmSync(out, { recursive: true, force: true }));

test('the package depends on nothing that only the page needs', () => {
  const { dependencies } = JSON.parse(readFileSync(join(out, 'package.json'), 'utf8')) as { dependencies: object };
  for (const name of ['react', 'monaco-editor', '@xterm/xterm', 'msw', 'dexie'])
    expect(Object.keys(dependencies)).not.toContain(name);
});

test('`npm pack` takes nothing else along', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object };
  const { dependencies } = JSON.parse(readFileSync(join(out, 'package.json'), 'utf8')) as { dependencies: object };
  expect(manifest.dependencies).toEqual(dependencies);
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' });
  const [{ files }] = JSON.parse(listed) as [{ files: { path: string }[] }];
  const isOwn =
    /^(package\.json|README\.md|docs\/library\.md|dist-package\/[^/]+\.(js|d\.ts)|dist-package\/chunks\/[^/]+\.js)$/;
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
