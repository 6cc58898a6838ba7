// `npm run pack -- [--out DIR]`: the package `vitrine` for tests of other projects, as a folder and as a tarball in it. It holds the
// core and the Node host, bundled, and depends only on the packages that these import.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensurePackages, root } from './install.mjs';

ensurePackages();
const { rolldown } = await import('rolldown');

const at = process.argv.indexOf('--out');
const out = resolve(root, at > 0 ? (process.argv[at + 1] ?? '') : 'dist-package');
// Each file costs a start about a millisecond, so the modules that every start loads are in one file.
const atStart = modulesLoadedAtStart(await bundled());
const output = await bundled({ groups: [{ name: 'start', test: (id) => atStart.has(id) }] });

async function bundled(codeSplitting = {}) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const bundle = await rolldown({
    input: { index: resolve(root, 'src/hosts/node/library/index.ts') },
    cwd: root,
    platform: 'node',
    external: /^(?![./\0]|[a-z]:\\)/i,
    logLevel: 'warn',
  });
  const { output } = await bundle.write({
    dir: out,
    format: 'esm',
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting,
  });
  await bundle.close();
  return output;
}

/** The modules in the files that a process loads until its first cluster has answered. */
function modulesLoadedAtStart(output) {
  const program = `
    import { Session } from 'node:inspector';
    const session = new Session();
    session.connect();
    session.on('Debugger.scriptParsed', ({ params: { url } }) => console.log(url));
    session.post('Debugger.enable');
    const { createCluster } = await import(${JSON.stringify(pathToFileURL(resolve(out, 'index.js')).href)});
    await (await (await createCluster()).fetch('/api/v1/pods')).json();
    process.exit(0);`;
  const ran = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(ran.stderr);
  const loaded = new Set(ran.stdout.split('\n'));
  const files = output.filter(({ fileName }) => loaded.has(pathToFileURL(resolve(out, fileName)).href));
  return new Set(files.flatMap(({ modules = {} }) => Object.keys(modules)));
}

/** The package that a module belongs to: `@a/b/c` is part of `@a/b`. */
const packageOf = (id) =>
  id
    .split('/')
    .slice(0, id.startsWith('@') ? 2 : 1)
    .join('/');
const imported = new Set(output.flatMap((file) => [...(file.imports ?? []), ...(file.dynamicImports ?? [])]));
const files = new Set(output.map(({ fileName }) => fileName));
const isOwn = (id) => files.has(id) || id.startsWith('node:') || builtinModules.includes(id);

const own = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));
const needed = [...new Set([...imported].filter((id) => !isOwn(id)).map(packageOf))].sort();
const dependencies = Object.fromEntries(needed.map((name) => [name, own.dependencies[name]]));
const unknown = needed.filter((name) => dependencies[name] === undefined);
if (unknown.length > 0) throw new Error(`the package imports what is no dependency: ${unknown.join(', ')}`);

const { name, version, description, license, engines } = own;
const manifest = {
  ...{ name, version, description, license, engines, type: 'module' },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  types: './index.d.ts',
  dependencies,
};
writeFileSync(resolve(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
const types = readFileSync(resolve(root, 'src/hosts/node/library/types.ts'), 'utf8');
const functions = 'export declare const createCluster: CreateCluster;\nexport declare const listen: Listen;\n';
writeFileSync(resolve(out, 'index.d.ts'), `${types}\n${functions}`);
copyFileSync(resolve(root, 'docs/library.md'), resolve(out, 'README.md'));

const packed = spawnSync('npm', ['pack', '--json'], { cwd: out, encoding: 'utf8' });
if (packed.status !== 0) throw new Error(packed.stderr);
const [{ filename, size, entryCount }] = JSON.parse(packed.stdout);
console.log(`${filename}: ${entryCount} files, ${Math.round(size / 1024)} KB; depends on ${needed.join(', ')}`);
