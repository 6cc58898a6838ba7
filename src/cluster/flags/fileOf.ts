import { getOwn } from '../../std/index.ts';
import type { Files } from '../pki.ts';
import { FlagError } from './read.ts';

/** What a component was given. */
interface Given {
  readonly flag: (name: string) => string | undefined;
  readonly files: Files;
}

/** The text of the file that a flag names; undefined where the flag is not set. Throws FlagError where there is no such file. */
export function fileOf({ flag, files }: Given, name: string): string | undefined {
  const path = flag(name);
  return path === undefined || path === '' ? undefined : fileAt(files, name, path);
}

/** The text of one of the files that a flag names. Throws FlagError where there is no such file. */
export function fileAt(files: Files, flag: string, path: string): string {
  const text = getOwn(files, path);
  if (text === undefined) throw new FlagError(`--${flag}: there is no file ${JSON.stringify(path)}`);
  return text;
}
