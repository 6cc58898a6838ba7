/** The files that a build may read: those in and below the folder of its kustomization file. */
import type { Files } from '../command/session.ts';

const MANIFEST_FILES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** Bases can be named again and again on each level: without a bound, a few files would keep a build busy for ever. */
const MOST_FOLDERS = 1000;

/** The build can't go on: none of its folders is looked at any more. */
export class TooManyFolders extends Error {}

/** What all folders of one build share. */
interface Whole {
  readonly root: string;
  folders: number;
}

export class Folder {
  /** From the root of the file system, without a slash at its end. */
  readonly path: string;
  readonly #files: Files;
  /** The folders that led here: none of them may be built again. */
  readonly #visited: readonly string[];
  readonly #whole: Whole;

  private constructor(files: Files, path: string, visited: readonly string[], whole: Whole) {
    this.#files = files;
    this.path = path;
    this.#visited = visited;
    this.#whole = whole;
  }

  /** The folder that somebody names. Throws an Error where there is none. */
  static async open(files: Files, typed: string): Promise<Folder> {
    const path = plainPath(files.absolute(typed));
    const missing = `absolute path error in '${typed}' : evalsymlink failure on '${typed}' : lstat ${path}: no such file or directory`;
    return Folder.#at(files, { path, typed, missing, visited: [], whole: { root: path, folders: 1 } });
  }

  /** Another folder, as this one's file names it. Throws an Error that says why not. */
  async other(typed: string): Promise<Folder> {
    const whole = this.#whole;
    if (++whole.folders > MOST_FOLDERS)
      throw new TooManyFolders(`the build of '${whole.root}' leads to more than ${MOST_FOLDERS} folders`);
    if (typed === '') throw new Error('new root cannot be empty');
    if (typed.startsWith('/')) throw new Error(`new root '${typed}' cannot be absolute`);
    const path = plainPath(`${this.path}/${typed}`);
    const visited = [...this.#visited, this.path];
    const cycle = visited.find((each) => `${each}/`.startsWith(`${path}/`));
    if (cycle !== undefined)
      throw new Error(`cycle detected: candidate root '${path}' contains visited root '${cycle}'`);
    const missing = `absolute path error in '${path}' : evalsymlink failure on '${path}' : lstat ${path}: no such file or directory`;
    return Folder.#at(this.#files, { path, typed: path, missing, visited, whole });
  }

  static async #at(
    files: Files,
    at: { path: string; typed: string; missing: string; visited: readonly string[]; whole: Whole },
  ): Promise<Folder> {
    const { path, typed, missing, visited, whole } = at;
    if (await isFolder(files, path)) return new Folder(files, path, visited, whole);
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
