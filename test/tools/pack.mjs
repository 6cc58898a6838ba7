// `npm run pack -- [--out DIR]`: the package `vitrine` for tests of other projects, as a folder and as a tarball in it. It holds the
// core, the Node host and what they import from other packages, bundled: hundreds of small files would cost a start more than the
// rest of their loading. `LICENSES.txt` has the licences of these packages. The scripts are CommonJS, as Node can keep the
// compiled code of these (`src/hosts/node/library/compiled.ts`).
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensurePackages, root } from './install.mjs';

ensurePackages();
const { rolldown } = await import('rolldown');

const at = process.argv.indexOf('--out');
const out = resolve(root, at > 0 ? (process.argv[at + 1] ?? '') : 'dist-package');
const library = 'src/hosts/node/library';
// Each file costs a start about a millisecond, so the modules that every start loads are in one file.
const atStart = modulesLoadedAtStart(
  await bundled('index.ts', { format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' }),
);
rmSync(out, { recursive: true, force: true });
const output = await bundled('index.ts', {
  format: 'cjs',
  entryFileNames: 'chunks/[name]-[hash].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  dynamicImportInCjs: false,
  codeSplitting: { groups: [{ name: 'start', test: (id) => atStart.has(id) }] },
});
const entry = output.find(({ isEntry }) => isEntry).fileName.replace('chunks/', '');
await bundled('packed.ts', { format: 'esm', entryFileNames: 'index.js' }, { ENTRY: JSON.stringify(entry) });
// For `require`, as a test runner has it that loads CommonJS and has globals of its own.
writeFileSync(resolve(out, 'index.cjs'), `module.exports = require('./chunks/${entry}');\n`);

async function bundled(name, options, define = {}) {
  mkdirSync(out, { recursive: true });
  const bundle = await rolldown({
    input: { index: resolve(root, library, name) },
    cwd: root,
    platform: 'node',
    external: isBuiltin,
    logLevel: 'warn',
    transform: { define },
  });
  const { output } = await bundle.write({ dir: out, minify: true, ...options });
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
    const { createCluster } = await import(${JSON.stringify(pathToFileURL(resolve(out, 'index.mjs')).href)});
    await (await (await createCluster()).fetch('/api/v1/pods')).json();
    process.exit(0);`;
  const ran = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(ran.stderr);
  const loaded = new Set(ran.stdout.split('\n'));
  const files = output.filter(({ fileName }) => loaded.has(pathToFileURL(resolve(out, fileName)).href));
  return new Set(files.flatMap(({ modules = {} }) => Object.keys(modules)));
}

const foreign = output.flatMap(({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports]);
const files = new Set(output.map(({ fileName }) => fileName));
const missing = foreign.filter((id) => !files.has(id) && !isBuiltin(id));
if (missing.length > 0) throw new Error(`the package lacks what it imports: ${missing.join(', ')}`);

/** The folder of the package that a module comes from; undefined for our own. */
const folderOf = (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];
const folders = new Set(output.flatMap(({ modules = {} }) => Object.keys(modules).map(folderOf)));
folders.delete(undefined);
const bundledPackages = [...folders].sort().map(licenceOf);
writeFileSync(resolve(out, 'LICENSES.txt'), bundledPackages.map(({ text }) => text).join('\n\n'));

/** The name of a package, and its licence: the text if the package has one, otherwise its name. */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const words = file ? readFileSync(resolve(folder, file), 'utf8').trim() : '';
  return { name, text: `${name} ${version} (${license})\n${words}` };
}

const own = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));
const { name, version, description, license, engines } = own;
const manifest = {
  ...{ name, version, description, license, engines, type: 'module' },
  exports: {
    '.': {
      import: { types: './index.d.ts', default: './index.js' },
      require: { types: './index.d.cts', default: './index.cjs' },
    },
  },
  types: './index.d.ts',
  files: ['*.js', '*.cjs', '*.d.ts', '*.d.cts', 'chunks', 'LICENSES.txt'],
};
writeFileSync(resolve(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
const types = readFileSync(resolve(root, library, 'types.ts'), 'utf8');
const functions = 'export declare const createCluster: CreateCluster;\nexport declare const listen: Listen;\n';
for (const file of ['index.d.ts', 'index.d.cts']) writeFileSync(resolve(out, file), `${types}\n${functions}`);
copyFileSync(resolve(root, 'docs/library.md'), resolve(out, 'README.md'));

const packed = spawnSync('npm', ['pack', '--json'], { cwd: out, encoding: 'utf8' });
if (packed.status !== 0) throw new Error(packed.stderr);
const [{ filename, size, entryCount }] = JSON.parse(packed.stdout);
console.log(
  `${filename}: ${entryCount} files, ${Math.round(size / 1024)} KB; holds ${bundledPackages.map(({ name }) => name).join(', ')}`,
);
