/** Runs command lines with the project's own client. */
import { commands, run, type Session } from '../../src/cli/index.ts';
import type { Cluster } from '../../src/cluster/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { realClock } from '../../src/std/index.ts';
import { TOKEN } from './world.ts';

export interface Ended {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** The words of a line; a quoted or braced part may hold spaces. */
export const wordsOf = (line: string): string[] => [...line.matchAll(/(?:\{[^}]*\}|[^\s{])+/g)].map(([word]) => word);

export async function runOurs(cluster: Cluster, line: string, program = 'kubectl'): Promise<Ended> {
  let out = '';
  let err = '';
  const session: Session = {
    ...{ program, names: namesOf('k8s.io'), clock: realClock(), namespace: 'default' },
    transport: (path, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${TOKEN}`);
      return cluster.fetch(new Request(`http://cluster${path}`, { ...init, headers }));
    },
    files: { read: async () => undefined, write: async () => undefined, list: async () => undefined },
    signal: new AbortController().signal,
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    input: async () => '',
  };
  const code = await run(commands, wordsOf(line), session);
  return { out, err, code };
}
