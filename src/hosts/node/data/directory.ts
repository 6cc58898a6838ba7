/** A data directory: the cluster's rows and its options, so that a second start needs no arguments. */
import { mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Backend, ClusterOptions } from '../../../cluster/index.ts';
import { isObject } from '../../../std/index.ts';
import { codeOf, reasonOf } from '../words.ts';
import { isDirectory } from '../writable.ts';
import { lockDirectory } from './lock.ts';
import { segmentBackend } from './segments.ts';

/** The options of a cluster. Its files are stored in its own storage. */
export interface Made {
  readonly options: Omit<ClusterOptions, 'files' | 'storage'>;
  /** The administrator's token that was generated for it. */
  readonly token?: string;
}

export interface DataDirectory {
  readonly backend: Backend;
  /** Undefined before the first start that succeeded. */
  readonly made: Made | undefined;
  /** Stores the options of a new cluster; does nothing if they exist. */
  keep(made: Made): Promise<void>;
  /** Unlocks the directory. The backend has to be closed before. */
  release(): Promise<void>;
}

const MADE = 'cluster.json';

/** Opens a data directory, and creates it if it is missing. Rejects if another process has it open. */
export async function openDataDirectory(directory: string): Promise<DataDirectory> {
  await makeDirectory(directory);
  const release = await lockDirectory(directory);
  try {
    const path = join(directory, MADE);
    let kept = await readText(path);
    return {
      made: kept === undefined ? undefined : madeOf(kept, path),
      backend: await segmentBackend(directory),
      keep: async (made) => {
        const text = `${JSON.stringify(made, null, 2)}\n`;
        // A start that changes nothing writes nothing, so that a cluster on a full disk starts again.
        if (text !== kept) await writeText(path, text);
        kept = text;
      },
      release,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

async function makeDirectory(directory: string): Promise<void> {
  try {
    await makeWithParents(directory);
  } catch (error) {
    const isFile = codeOf(error) === 'EEXIST';
    throw new Error(`the data directory ${directory} can't be made: ${isFile ? 'it is a file' : reasonOf(error)}`);
  }
}

/** Node's recursive `mkdir` never returns where the parent exists but takes no entries, as in `/proc`. */
async function makeWithParents(directory: string): Promise<void> {
  if (await isDirectory(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) await makeWithParents(parent);
  await mkdir(directory, { mode: 0o700 });
}

async function writeText(path: string, text: string): Promise<void> {
  try {
    // Renaming is all or nothing; it holds a token, so only its owner may read it.
    await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
    await rename(`${path}.new`, path);
  } catch (error) {
    await unlink(`${path}.new`).catch(() => undefined);
    throw new Error(`${path} can't be written: ${reasonOf(error)}`, { cause: error });
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new Error(`${path} can't be read: ${reasonOf(error)}`, { cause: error });
  }
}

function madeOf(text: string, path: string): Made {
  try {
    const made: unknown = JSON.parse(text);
    if (isMade(made)) return made;
  } catch {
    // The same words as for JSON of another form.
  }
  throw new Error(
    `${path} is damaged. It holds the options that the cluster was made with; its objects are elsewhere. ` +
      'Delete this file and give the options again, --naming in any case',
  );
}

const isMade = (value: unknown): value is Made =>
  isObject(value) && isObject(value['options']) && typeof value['options']['name'] === 'string';

/** The requested options, completed by those that the cluster was made with. Throws if a change would give stored objects another meaning. */
export function completed(asked: ClusterOptions, made: Made | undefined): ClusterOptions {
  if (!made) return asked;
  const { naming = 'cluster.io' } = made.options;
  if (asked.naming !== undefined && asked.naming !== naming)
    throw new Error(`the data directory holds a cluster with the names of ${naming}, not of ${asked.naming}`);
  // A list of no addons says something; one of no flags does not.
  const given = Object.entries(asked).filter(
    ([name, value]) => name === 'addons' || !(Array.isArray(value) && value.length === 0),
  );
  return { ...made.options, ...Object.fromEntries(given) };
}
