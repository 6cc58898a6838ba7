/** The entry of the package, which loads the scripts that `npm run pack` makes of `index.ts`. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import { CompiledScripts } from './compiled.ts';
import type { CreateCluster, Listen, TestCluster } from './types.ts';

/** The file with the exports of `index.ts`; the bundler fills it in. */
declare const ENTRY: string;

interface Library {
  readonly createCluster: CreateCluster;
  readonly listen: Listen;
}

const folder = fileURLToPath(new URL('./chunks/', import.meta.url));
const scripts = new CompiledScripts(folder, fileURLToPath(new URL('./.cache/', import.meta.url)));

/** A test runner may give its tests globals of their own, which the library has to share: then its `require` loads the library. */
const hasOwnGlobals = runInThisContext('Object') !== Object;
const { createCluster: create, listen: serve } = (
  hasOwnGlobals ? createRequire(import.meta.url)(`./chunks/${ENTRY}`) : scripts.load(ENTRY)
) as Library;

export const createCluster: CreateCluster = async (options) => keeping(await create(options));

export const listen: Listen = async (options) => keeping(await serve(options));

/** Keeps the compiled code when the cluster has started, and that of parts which were loaded later when it stops. */
function keeping<C extends TestCluster>(cluster: C): C {
  setImmediate(() => scripts.keep());
  const stop = async (): Promise<void> => {
    await cluster.stop();
    scripts.keep();
  };
  return { ...cluster, stop };
}
