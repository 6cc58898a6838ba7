import { fail, nameOf, SystemError, type FileView, type Program } from '../../programs/index.ts';
import type { Tools } from './tools.ts';

/** `vi FILE`: opens the page's editor, and keeps what was saved there. */
export const editFile =
  ({ surroundings }: Tools): Program =>
  async (process) => {
    const path = process.args.slice(1).find((word) => !word.startsWith('-') && !word.startsWith('+'));
    if (path === undefined) return fail(process, `say which file: ${nameOf(process)} FILE`);
    try {
      const before = textOf(process.files, path);
      const after = await process.wait(surroundings.edit?.(path, before) ?? Promise.resolve(undefined));
      if (after !== undefined && after !== before) process.files.write(path, after);
      return 0;
    } catch (problem) {
      if (!(problem instanceof SystemError)) throw problem;
      return fail(process, `${path}: ${problem.message}`);
    }
  };

/** A file that isn't there yet is empty. */
function textOf(files: FileView, path: string): string {
  return files.tryFind(path) ? files.text(path) : '';
}
