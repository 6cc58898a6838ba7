/** A data directory: the cluster's rows, and what it was made with, so that a second start needs to be told nothing. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Backend, ClusterOptions } from '../../../cluster/index.ts';
import { lockDirectory } from './lock.ts';
import { segmentBackend } from './segments.ts';

/** What a cluster was made with. Its files are not here: its own storage keeps them. */
export interface Made {
  readonly options: Omit<ClusterOptions, 'files' | 'storage'>;
  /** The administrator's token that was generated for it. */
  readonly token?: string;
}

export interface DataDirectory {
  readonly backend: Backend;
  /** Undefined before the first start that succeeded. */
  readonly made: Made | undefined;
  keep(made: Made): Promise<void>;
  /** Unlocks the directory. The backend has to be closed before. */
  release(): Promise<void>;
}

const MADE = 'cluster.json';

/** Opens a data directory, and makes it where there is none. Rejects when another process has it open. */
export async function openDataDirectory(directory: string): Promise<DataDirectory> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const release = await lockDirectory(directory);
  try {
    const path = join(directory, MADE);
    return {
      made: await readMade(path),
      backend: await segmentBackend(directory),
      keep: async (made) => {
        // Renaming is all or nothing; it holds a token, so only its owner may read it.
        await writeFile(`${path}.new`, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flush: true });
        await rename(`${path}.new`, path);
      },
      release,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

async function readMade(path: string): Promise<Made | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as Made;
  } catch {
    throw new Error(`${path} is not what it was written as; without it, say the cluster's options again`);
  }
}

/** The requested options, completed by those that the cluster was made with. Throws if a change would give stored objects another meaning. */
export function completed(asked: ClusterOptions, made: Made | undefined): ClusterOptions {
  if (!made) return asked;
  const { naming = 'cluster.io' } = made.options;
  if (asked.naming !== undefined && asked.naming !== naming)
    throw new Error(`the data directory holds a cluster with the names of ${naming}, not ${asked.naming}`);
  // A list of no addons says something; one of no flags does not.
  const given = Object.entries(asked).filter(
    ([name, value]) => name === 'addons' || !(Array.isArray(value) && value.length === 0),
  );
  return { ...made.options, ...Object.fromEntries(given) };
}
