/** The files that a build may read: those in and below the folder of its kustomization file. */
import type { Files } from '../command/session.ts';

const MANIFEST_FILES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

export class Folder {
  /** From the root of the file system, without a slash at its end. */
  readonly path: string;
  readonly #files: Files;
  /** The folders that led here: none of them may be built again. */
  readonly #visited: readonly string[];

  private constructor(files: Files, path: string, visited: readonly string[]) {
    this.#files = files;
    this.path = path;
    this.#visited = visited;
  }

  /** The folder that somebody names. Throws an Error where there is none. */
  static async open(files: Files, typed: string): Promise<Folder> {
    const path = plainPath(files.absolute(typed));
    const missing = `absolute path error in '${typed}' : evalsymlink failure on '${typed}' : lstat ${path}: no such file or directory`;
    return Folder.#at(files, { path, typed, missing, visited: [] });
  }

  /** Another folder, as this one's file names it. Throws an Error that says why not. */
  async other(typed: string): Promise<Folder> {
    if (typed === '') throw new Error('new root cannot be empty');
    if (typed.startsWith('/')) throw new Error(`new root '${typed}' cannot be absolute`);
    const path = plainPath(`${this.path}/${typed}`);
    const visited = [...this.#visited, this.path];
    const cycle = visited.find((each) => `${each}/`.startsWith(`${path}/`));
    if (cycle !== undefined)
      throw new Error(`cycle detected: candidate root '${path}' contains visited root '${cycle}'`);
    const missing = `absolute path error in '${path}' : evalsymlink failure on '${path}' : lstat ${path}: no such file or directory`;
    return Folder.#at(this.#files, { path, typed: path, missing, visited });
  }

  static async #at(files: Files, at: { path: string; typed: string; missing: string; visited: readonly string[] }) {
    const { path, typed, missing, visited } = at;
    if (await isFolder(files, path)) return new Folder(files, path, visited);
    if ((await files.read(path)) === undefined) throw new Error(`${missing}`);
    const name = path.split('/').at(-1) ?? '';
    throw new Error(`got file '${name}', but '${typed}' must be a directory to be a root`);
  }

  /** A file's bytes. Throws an Error that says why they can't be read. */
  async read(name: string): Promise<Uint8Array> {
    const path = plainPath(name.startsWith('/') ? name : `${this.path}/${name}`);
    const bytes = await this.#files.bytes(path);
    if (!bytes && (await isFolder(this.#files, path))) throw new Error(`'${name}' must be a file (got d='${path}')`);
    if (!bytes) throw new Error(`evalsymlink failure on '${path}' : lstat ${path}: no such file or directory`);
    if (!path.startsWith(`${this.path}/`))
      throw new Error(`security; file '${name}' is not in or below '${this.path}'`);
    return bytes;
  }

  /** The text of the kustomization file. Throws an Error unless there is exactly one. */
  async instructions(): Promise<string> {
    const texts = await Promise.all(MANIFEST_FILES.map((name) => this.#files.read(`${this.path}/${name}`)));
    const [found, second] = texts.filter((text) => text !== undefined);
    if (found === undefined)
      throw new Error(
        `unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '${this.path}'`,
      );
    if (second !== undefined) throw new Error(`Found multiple kustomization files under: ${this.path}\n`);
    return found;
  }
}

const isFolder = async (files: Files, path: string): Promise<boolean> =>
  (await files.bytes(path)) === undefined && (await files.list(path)) !== undefined;

/** Without `.`, `..` and slashes that say nothing. */
export function plainPath(path: string): string {
  const steps: string[] = [];
  for (const step of path.split('/'))
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  return `/${steps.join('/')}`;
}
