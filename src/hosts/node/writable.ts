import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from './arguments.ts';
import { codeOf, reasonOf } from './words.ts';

export const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Requires that the file that a flag names can be written later. Rejects with UsageError. */
export async function requireWritable(flag: string, path: string | undefined): Promise<void> {
  if (path === undefined) return;
  if (await isDirectory(path)) throw new UsageError(`${flag} ${path}: it is a directory, not a file`);
  try {
    await mayWrite(path).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
      return mayWrite(dirname(path));
    });
  } catch (error) {
    throw new UsageError(`${flag} ${path}: ${reasonOf(error)}`);
  }
}

const mayWrite = (path: string): Promise<void> => access(path, constants.W_OK);
