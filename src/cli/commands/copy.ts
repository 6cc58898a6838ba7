/** `cp`: files and folders, into containers and out of them. */
import { execIn, pathOf, pods, readAll, type ContainerTarget, type Pod } from '../../client/index.ts';
import { decodeText, trimRight } from '../../std/index.ts';
import { command, type Call } from '../command/command.ts';
import { CommandError, complaint } from '../command/errors.ts';
import { text, toggle } from '../command/flags.ts';
import { containerToEnter } from '../server/podOf.ts';

/** One side of a copy: a path here, or in a container. */
interface Place {
  readonly path: string;
  readonly pod?: string;
  readonly namespace?: string;
}

/** One side of a copy that can be read and written, be it here or in a container. */
interface Side {
  isFolder(path: string): Promise<boolean>;
  /** Undefined where there is no such file. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Makes the folders that lead there. */
  write(path: string, content: Uint8Array): Promise<void>;
  makeFolder(path: string): Promise<void>;
  /** The paths of the files in a folder and in those below it. */
  list(path: string): Promise<readonly string[]>;
  /** The paths of the folders in a folder and in those below it. */
  folders(path: string): Promise<readonly string[]>;
}

type CopyCall = Call & { readonly flags: { readonly container: string } };

export const copy = command({
  name: 'cp',
  flags: {
    container: text({ short: 'c' }),
    'no-preserve': toggle(),
  },
  run: async (call) => {
    const [from, to] = call.args.map(placeOf);
    if (!from || !to || call.args.length !== 2) throw complaint('source and destination are required');
    if (from.pod !== undefined && to.pod !== undefined)
      throw complaint('one of src or dest must be a local file specification');
    if (from.pod === undefined && to.pod === undefined)
      throw complaint('one of src or dest must be a remote file specification');
    if (from.path === '' || to.path === '') throw complaint('filepath can not be empty');
    await copyAll(
      { at: sideOf(call, from, call.session.out), path: from.path },
      { at: sideOf(call, to, call.session.err), path: to.path },
      to.pod !== undefined,
    );
  },
});

function placeOf(word: string): Place {
  const [, where, path] = /^([^:]*):(.*)$/s.exec(word) ?? [];
  if (where === undefined || path === undefined || where === '') return { path: word };
  const [pod = '', namespace] = where.split('/').reverse();
  return { path, pod, ...(namespace !== undefined && { namespace }) };
}

/** Takes a text that a person should see. */
type Says = (text: string) => void;

const sideOf = (call: CopyCall, place: Place, says: Says): Side =>
  place.pod === undefined ? here(call) : inContainer(call, place, says);

interface End {
  readonly at: Side;
  readonly path: string;
}

/** A folder in a container takes what is copied there under its name; a folder here takes what is in the copied folder. */
async function copyAll(from: End, to: End, towardsPod: boolean): Promise<void> {
  const isFolder = await from.at.isFolder(from.path);
  const content = isFolder ? undefined : await from.at.read(from.path);
  if (!isFolder && !content)
    throw complaint(
      towardsPod ? `${from.path} doesn't exist in local filesystem` : `${from.path}: no such file or directory`,
    );
  const path = withoutSlash(to.path);
  const name = withoutSlash(from.path).split('/').at(-1) ?? '';
  const isTaken = await to.at.isFolder(path);
  const target = towardsPod && isTaken && !['', '.', '..'].includes(name) ? `${withoutSlash(path, '')}/${name}` : path;
  if (!content) return copyFolder(from, { at: to.at, path: target });
  if (!towardsPod && isTaken) throw complaint(`open ${path}: is a directory`);
  return to.at.write(target, content);
}

/** Without slashes at the end; the root is a path of its own, or nothing before a name. */
const withoutSlash = (path: string, root = '/'): string => trimRight(path, '/') || root;

async function copyFolder(from: End, to: End): Promise<void> {
  const skipped = `${trimRight(from.path, '/')}/`.length;
  const place = (path: string): string => `${withoutSlash(to.path, '')}/${path.slice(skipped)}`;
  const files = await from.at.list(from.path);
  await to.at.makeFolder(to.path);
  for (const path of await from.at.folders(from.path))
    if (!files.some((each) => each.startsWith(`${path}/`))) await to.at.makeFolder(place(path));
  for (const path of files) {
    const content = await from.at.read(path);
    if (content) await to.at.write(place(path), content);
  }
}

function here({ session: { files } }: CopyCall): Side {
  return {
    isFolder: async (path) => (await files.bytes(path)) === undefined && (await files.list(path)) !== undefined,
    read: (path) => files.bytes(path),
    write: (path, content) => files.write(path, content),
    makeFolder: (path) => files.makeFolder(path),
    list: async (path) => (await files.list(path)) ?? [],
    folders: (path) => files.folders(path),
  };
}

function inContainer(call: CopyCall, place: Place, says: Says): Side {
  let target: Promise<ContainerTarget> | undefined;
  const run = async (words: readonly string[], input?: Uint8Array): Promise<Ran> =>
    ranIn(call, await (target ??= targetOf(call, place, says)), words, input);
  const isFolder = async (path: string): Promise<boolean> => (await run(['test', '-d', path])).exitCode === 0;
  const found = async (path: string, type: 'f' | 'd'): Promise<readonly string[]> => {
    const { bytes } = succeeded(await run(['find', withoutSlash(path), '-mindepth', '1', '-type', type]));
    return decodeText(bytes).split('\n').filter(Boolean).sort();
  };
  return {
    isFolder,
    read: async (path) => {
      const { exitCode, bytes } = await run(['cat', path]);
      return exitCode === 0 ? bytes : undefined;
    },
    write: async (path, content) => {
      const folder = path.replace(/\/[^/]*$/, '');
      if (folder !== '' && folder !== path) succeeded(await run(['mkdir', '-p', folder]));
      succeeded(await run(['tee', path], content));
    },
    makeFolder: async (path) => void succeeded(await run(['mkdir', '-p', path])),
    list: (path) => found(path, 'f'),
    folders: (path) => found(path, 'd'),
  };
}

async function targetOf(
  { client, flags, namespace: own }: CopyCall,
  { pod = '', namespace = own }: Place,
  says: Says,
): Promise<ContainerTarget> {
  const found = (await client.json(pathOf(pods, client.names, namespace, pod))) as Pod;
  const { container, isGuess } = containerToEnter(found, flags.container);
  if (isGuess) says(`Defaulting container name to ${container}.\n`);
  return { namespace, pod, container };
}

interface Ran {
  readonly exitCode: number | undefined;
  readonly bytes: Uint8Array;
  readonly problem: string;
}

function succeeded(ran: Ran): Ran {
  if (ran.exitCode !== 0) throw new CommandError(ran.problem);
  return ran;
}

async function ranIn(
  { client, session }: CopyCall,
  target: ContainerTarget,
  words: readonly string[],
  input: Uint8Array | undefined,
): Promise<Ran> {
  const running = await execIn(client, target, words, { stdin: input !== undefined, signal: session.signal });
  const writing = input === undefined ? undefined : running.stdin.write(input).then(() => running.stdin.end());
  const [bytes, errors, result] = await Promise.all([
    readAll(running.stdout),
    readAll(running.stderr),
    running.result,
    writing,
  ]);
  return { exitCode: result.exitCode, bytes, problem: decodeText(errors).trim() || result.message };
}
