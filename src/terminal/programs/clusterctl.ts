/** `clusterctl` as a program of the terminal's shell. */
import { commands, run, type Files, type Session } from '../../cli/index.ts';
import { linesOf, SystemError, type FileView, type Process, type Program } from '../../programs/index.ts';
import { abortSignalOf, encodeText, trimRight } from '../../std/index.ts';
import { ownContext } from '../machine/context.ts';
import type { Tools } from './tools.ts';

/** The client under one of its names. It runs in the chosen context: by default as whoever the page acts as, in the namespace that the page shows. */
export const clusterctl =
  (program: string, tools: Tools): Program =>
  async (process) => {
    const written = new Output(process);
    const session = sessionOf(process, written, program, tools);
    const code = await process.wait(run(commands, process.args.slice(1), session));
    await process.wait(written.done());
    return code;
  };

function sessionOf(process: Process, written: Output, program: string, tools: Tools): Session {
  const { name, surroundings, transport, memory, console } = tools;
  const lines = linesOf(process, process.stdin);
  const hasScreen = process.stdin.terminal !== undefined && process.stdout.terminal !== undefined;
  return {
    ...{ program, names: surroundings.names, clock: surroundings.clock, memory },
    ...ownContext(name, surroundings),
    transport: transport(),
    files: filesOf(process),
    signal: AbortSignal.any([abortSignalOf(process.killed), written.refused]),
    get namespace() {
      return surroundings.namespace();
    },
    set namespace(namespace) {
      surroundings.chooseNamespace(namespace);
    },
    out: (text) => written.add(1, text),
    err: (text) => written.add(2, text),
    input: async () => {
      const { value, done } = await lines.next();
      return done ? '' : `${value}\n`;
    },
    ...(surroundings.edit && { edit: surroundings.edit }),
    ...(surroundings.browse && { browse: surroundings.browse }),
    ...(hasScreen && {
      interact: async (command) => {
        await written.done();
        await console.interact(command);
      },
    }),
  };
}

/** A command's output, passed on in order as fast as the reader takes it. */
class Output {
  readonly #process: Process;
  readonly #refused = new AbortController();
  #last: Promise<void> = Promise.resolve();

  constructor(process: Process) {
    this.#process = process;
  }

  /** Aborts when nobody reads any more, as behind `| head`. */
  get refused(): AbortSignal {
    return this.#refused.signal;
  }

  add(fd: 1 | 2, text: string): void {
    if (text === '' || this.#refused.signal.aborted) return;
    const stream = fd === 1 ? this.#process.stdout : this.#process.stderr;
    this.#last = this.#last.then(() => stream.write(encodeText(text))).catch(() => this.#refused.abort());
  }

  done(): Promise<void> {
    return this.#last;
  }
}

/** The files in a folder and in those below it. */
const below = (files: FileView, folder: string): readonly string[] =>
  files
    .list(folder === '' ? '/' : folder)
    .map((name) => `${folder}/${name}`)
    .flatMap((path) => (files.isDirectory(path) ? below(files, path) : [path]));

const foldersBelow = (files: FileView, folder: string): readonly string[] =>
  files
    .list(folder === '' ? '/' : folder)
    .map((name) => `${folder}/${name}`)
    .filter((path) => files.isDirectory(path))
    .flatMap((path) => [path, ...foldersBelow(files, path)]);

function makeFolders(files: FileView, path: string): void {
  if (path === '' || files.tryFind(path)) return;
  makeFolders(files, path.split('/').slice(0, -1).join('/'));
  files.makeDirectory(path);
}

/** The terminal's files, by paths from where the command runs. */
function filesOf({ files }: Process): Files {
  const orNothing = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (problem) {
      if (problem instanceof SystemError && problem.code !== 'EACCES') return undefined;
      throw problem;
    }
  };
  return {
    absolute: (path) => files.absolute(path),
    read: async (path) => orNothing(() => files.text(path)),
    bytes: async (path) => orNothing(() => files.read(path)),
    write: async (path, content) => {
      makeFolders(files, path.split('/').slice(0, -1).join('/'));
      files.write(path, content);
    },
    list: async (path) => orNothing(() => below(files, trimRight(path, '/'))),
    folders: async (path) => orNothing(() => foldersBelow(files, trimRight(path, '/'))) ?? [],
    makeFolder: async (path) => makeFolders(files, trimRight(path, '/')),
  };
}
