/**
 * How the worker's script is cut (ARCHITECTURE.md, Parts): what it needs from the beginning is one file, whatever else needs
 * it too; and a part is imported only once its files have been fetched.
 */
import { getOwn } from '../../../std/index.ts';
import { rolldown } from 'rolldown';
import type { Plugin } from 'vite';

/** Bundles everything that an entry imports statically; shared chunks would become many small files. */
export function wholeCore(entry: string): Plugin {
  return {
    name: 'vitrine:whole-core',
    apply: 'build',
    config: async () => {
      const core = await staticModules(entry);
      const groups = [{ name: 'core', test: (id: string) => core.has(id), minShareCount: 2 }];
      return {
        worker: { rolldownOptions: { checks: { pluginTimings: false }, output: { codeSplitting: { groups } } } },
      };
    },
  };
}

/** The modules of which an entry uses anything without asking for a part. */
async function staticModules(entry: string): Promise<ReadonlySet<string>> {
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    logLevel: 'silent',
    plugins: [{ name: 'no-parts', resolveDynamicImport: (id) => ({ id: String(id), external: true }) }],
  });
  const { output } = await bundle.generate({ format: 'es' });
  await bundle.close();
  return new Set(output.flatMap((chunk) => (chunk.type === 'chunk' ? Object.keys(chunk.modules) : [])));
}

type Chunks = Readonly<Record<string, { readonly type: string; readonly imports?: readonly string[] }>>;

/**
 * A browser may cache that a module could not be loaded, and never retry. So a part's files are fetched before it is
 * imported: then the fetch fails, and the next use retries.
 */
export function fetchedFirst(): Plugin {
  return {
    name: 'vitrine:fetched-first',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const here = filesOf(chunk.fileName, bundle);
        chunk.code = chunk.code.replace(/\bimport\(([`'"])\.\/([^`'"]+)\1\)/g, (found, _quote, name: string) => {
          const folder = chunk.fileName.slice(0, chunk.fileName.lastIndexOf('/') + 1);
          const files = [...filesOf(folder + name, bundle)].filter((file) => !here.has(file));
          return `${fetchAll(files.map((file) => `./${file.slice(folder.length)}`))}.then(()=>${found})`;
        });
      }
    },
  };
}

/** A file and all that it imports statically. */
export function filesOf(name: string, bundle: Chunks, files = new Set<string>()): ReadonlySet<string> {
  if (files.has(name)) return files;
  files.add(name);
  for (const other of getOwn(bundle, name)?.imports ?? []) filesOf(other, bundle, files);
  return files;
}

/** Code that resolves when all files are cached. */
const fetchAll = (files: readonly string[]): string =>
  `Promise.all(${JSON.stringify(files)}.map(async f=>{const r=await fetch(new URL(f,import.meta.url));if(!r.ok)throw Error(f+": "+r.status);await r.arrayBuffer()}))`;
