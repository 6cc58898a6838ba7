import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from './arguments.ts';
import { codeOf, reasonOf } from './words.ts';

/** Requires that the file that a flag names can be written later. Rejects with UsageError. */
export async function requireWritable(flag: string, path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const isDirectory = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isDirectory) throw new UsageError(`${flag} ${path}: it is a directory, not a file`);
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
