/** Runs command lines with the project's own client. */
import { commands, run, type Files, type Session } from '../../src/cli/index.ts';
import type { Cluster } from '../../src/cluster/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { realClock } from '../../src/std/index.ts';
import { wordsOf, type Ended, type Family, type Runner } from './family.ts';
import { TOKEN } from './world.ts';

/** Runs the lines of a family; what one line learns of the server or writes into files the next one knows. */
export function ourRunner(cluster: Cluster, { files = {} }: Pick<Family, 'files'> = {}, program = 'kubectl'): Runner {
  const printed = { out: '', err: '' };
  let piped = '';
  const session: Session = {
    ...{ program, names: namesOf('k8s.io'), clock: realClock(), namespace: 'default' },
    context: { name: 'c', cluster: 'c', user: 'u', server: 'SERVER' },
    transport: (path, init) => {
      const headers = new Headers(init?.headers);
      if (!headers.has('authorization')) headers.set('authorization', `Bearer ${TOKEN}`);
      return cluster.fetch(new Request(`http://cluster${path}`, { ...init, headers }));
    },
    files: inMemory(files),
    signal: new AbortController().signal,
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.err += text),
    input: async () => {
      const text = piped;
      piped = '';
      return text;
    },
  };
  return async (line, input): Promise<Ended> => {
    Object.assign(printed, { out: '', err: '' });
    piped = input;
    const code = await run(commands, wordsOf(line), session);
    return { ...printed, code };
  };
}

/** Where the lines run, for both clients. */
export const WORK = '/work';

const absolute = (path: string): string => new URL(path, `file://${WORK}/`).pathname;

/** Files by their paths; a path that ends with a slash is a folder. */
export function inMemory(written: Readonly<Record<string, string>>): Files {
  const files = new Map<string, string | Uint8Array>(
    Object.entries(written).map(([path, text]) => [absolute(path), text]),
  );
  const below = (path: string): readonly string[] => {
    const [typed, folder] = [path.replace(/\/*$/, '/'), absolute(path).replace(/\/*$/, '/')];
    const found = [...files.keys()].filter((each) => each.startsWith(folder)).sort();
    return found.map((each) => typed + each.slice(folder.length));
  };
  return {
    absolute,
    read: async (path) => {
      const content = files.get(absolute(path));
      return content === undefined || typeof content === 'string' ? content : new TextDecoder().decode(content);
    },
    bytes: async (path) => {
      const content = files.get(absolute(path));
      return typeof content === 'string' ? new TextEncoder().encode(content) : content;
    },
    write: async (path, content) => void files.set(absolute(path), content),
    makeFolder: async (path) => void files.set(absolute(path).replace(/\/*$/, '/'), ''),
    list: async (path) => {
      const found = below(path);
      return found.length === 0 ? undefined : found.filter((each) => !each.endsWith('/'));
    },
    folders: async (path) => {
      const typed = path.replace(/\/*$/, '/');
      const found = below(path).flatMap((each) => {
        const steps = each.slice(typed.length).split('/').slice(0, -1);
        return steps.map((_, at) => typed + steps.slice(0, at + 1).join('/'));
      });
      return [...new Set(found)];
    },
  };
}
