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
    files: inMemory(new Map(Object.entries(files))),
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

function inMemory(files: Map<string, string>): Files {
  return {
    read: async (path) => files.get(path),
    write: async (path, text) => void files.set(path, text),
    list: async (path) => {
      const folder = path.replace(/\/*$/, '/');
      const found = [...files.keys()].filter((each) => each.startsWith(folder)).sort();
      return found.length === 0 ? undefined : found;
    },
  };
}
