import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

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
  for (const name of ['preact', 'monaco-editor', '@xterm/xterm', 'msw'])
    expect(licences).not.toMatch(new RegExp(`^${name} `, 'm'));
});

test('`npm pack` takes nothing else along', () => {
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' });
  const [{ files }] = JSON.parse(listed) as [{ files: { path: string }[] }];
  const isOwn =
    /^(package\.json|README\.md|docs\/library\.md|dist-package\/([^/]+\.(c?js|d\.c?ts)|LICENSES\.txt)|dist-package\/chunks\/[^/]+\.cjs)$/;
  expect(files.map(({ path }) => path).filter((path) => !isOwn.test(path))).toEqual([]);
});

const program = join(out, 'try', 'program.mjs');
const cache = join(out, '.cache');
const run = (...flags: string[]): string => execFileSync(process.execPath, [...flags, program], { encoding: 'utf8' });

test('what is packed runs by itself, and its types stand by themselves', { timeout: 60_000 }, () => {
  mkdirSync(join(out, 'try'));
  writeFileSync(
    program,
    `import { createCluster } from '../index.js';
     const cluster = await createCluster({ clock: 'manual', seed: 1 });
     const { gitVersion } = await (await cluster.fetch('/version')).json();
     await cluster.stop();
     console.log(gitVersion);`,
  );
  expect(run()).toMatch(/^v1\.20\./);
  const types = readFileSync(join(out, 'index.d.ts'), 'utf8');
  expect(types).toContain('export declare const createCluster: CreateCluster;');
  expect(types).not.toContain('import');
});

test('a CommonJS program can require it', { timeout: 60_000 }, () => {
  const required = join(out, 'try', 'program.cjs');
  writeFileSync(
    required,
    `const { createCluster } = require('../index.cjs');
     createCluster().then(async (cluster) => {
       console.log((await cluster.fetch('/version')).status);
       await cluster.stop();
     });`,
  );
  expect(execFileSync(process.execPath, [required], { encoding: 'utf8' })).toBe('200\n');
  const { exports } = JSON.parse(readFileSync(join(out, 'package.json'), 'utf8')) as {
    exports: { '.': Record<'import' | 'require', Record<string, string>> };
  };
  for (const way of ['import', 'require'] as const)
    for (const file of Object.values(exports['.'][way])) expect(existsSync(join(out, file)), file).toBe(true);
});

describe('the compiled code of the scripts', () => {
  const files = (): string[] => readdirSync(cache).sort();
  /** Changes whenever a file is written. */
  const written = (): number[] => files().map((name) => statSync(join(cache, name)).ino);

  test('is kept by the first process and used by the next', { timeout: 60_000 }, () => {
    expect(files().some((name) => name.startsWith('start-'))).toBe(true);
    expect(files().every((name) => name.endsWith(`.cjs-${process.version}-${process.arch}`))).toBe(true);
    const before = written();
    expect(run()).toMatch(/^v1\.20\./);
    expect(written()).toEqual(before);
  });

  test.each<[string, (code: Buffer) => Buffer]>([
    ['is incomplete', (code) => code.subarray(0, code.length >> 1)],
    ['has changed', (code) => Buffer.from(code.map((byte, at) => (at === code.length >> 1 ? byte ^ 1 : byte)))],
    ['is empty', () => Buffer.alloc(0)],
  ])('is made anew where a file %s', { timeout: 60_000 }, (_, damage) => {
    const [start = ''] = files().filter((name) => name.startsWith('start-'));
    const whole = readFileSync(join(cache, start));
    const damaged = damage(whole);
    writeFileSync(join(cache, start), damaged);
    expect(run()).toMatch(/^v1\.20\./);
    expect(readFileSync(join(cache, start)).equals(damaged)).toBe(false);
  });

  test('that another setting of the engine made is made anew', { timeout: 60_000 }, () => {
    const before = written();
    expect(run('--no-opt')).toMatch(/^v1\.20\./);
    expect(written()).not.toEqual(before);
  });

  test('is not needed where its folder cannot be written', { timeout: 60_000 }, () => {
    rmSync(cache, { recursive: true });
    writeFileSync(cache, '');
    expect(run()).toMatch(/^v1\.20\./);
    rmSync(cache);
  });

  test('is not used by a program that runs in a VM context of its own', { timeout: 60_000 }, () => {
    const inContext = join(out, 'try', 'context.mjs');
    writeFileSync(
      inContext,
      `import { readFileSync } from 'node:fs';
       import { createContext, SourceTextModule, SyntheticModule } from 'node:vm';
       const context = createContext({ URL, setImmediate, process });
       const url = new URL('../index.js', import.meta.url);
       const initializeImportMeta = (meta) => void (meta.url = url.href);
       const module = new SourceTextModule(readFileSync(url, 'utf8'), { context, initializeImportMeta });
       await module.link(async (id) => {
         const found = await import(id);
         const set = function () { for (const name in found) this.setExport(name, found[name]); };
         return new SyntheticModule(Object.keys(found), set, { context });
       });
       await module.evaluate();
       const cluster = await module.namespace.createCluster();
       console.log((await cluster.fetch('/version')).status);
       await cluster.stop();`,
    );
    const flags = ['--experimental-vm-modules', '--no-warnings', inContext];
    expect(execFileSync(process.execPath, flags, { encoding: 'utf8' })).toBe('200\n');
    expect(existsSync(cache)).toBe(false);
  });
});
