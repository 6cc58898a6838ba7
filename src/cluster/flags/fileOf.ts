import { getOwn } from '../../std/index.ts';
import type { Files } from '../pki.ts';
import { FlagError } from './read.ts';

/** The arguments of a component. */
interface Given {
  readonly flag: (name: string) => string | undefined;
  readonly files: Files;
}

/**
 * The text of the file that a flag names; undefined if the flag is not set. Throws FlagError if the file is missing.
 */
export function fileOf({ flag, files }: Given, name: string): string | undefined {
  const path = flag(name);
  return path === undefined || path === '' ? undefined : fileAt(files, name, path);
}

/** The text of one of the files that a flag names. Throws FlagError if it is missing. */
export function fileAt(files: Files, flag: string, path: string): string {
  const text = getOwn(files, path);
  if (text === undefined) throw new FlagError(`--${flag}: there is no file ${JSON.stringify(path)}`);
  return text;
}
