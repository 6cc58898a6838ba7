/** The one thing that scripts of the network ask for: a client that runs command lines, be it the project's own in this process or the real kubectl. */
import { commands, run, type Session } from '../../../src/cli/index.ts';
import { namesOf } from '../../../src/names/index.ts';
import { realClock } from '../../../src/std/index.ts';
import { inMemory } from '../../cli/ours.ts';
import type { Bench } from '../../controllers/bench.ts';
import { runKubectl } from '../../hosts/kubectlClient.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

export interface Field {
  /** Runs a command of the client with a text as its input. */
  run(words: readonly string[], input?: string): Promise<Ran>;
  /** Lets a little time pass, between two looks at something that is waited for. */
  pass(): Promise<void>;
}

const STEP = 100;

/** The project's client over a cluster whose clock stands still but for what a command waits for. */
export function inProcess(bench: Bench): Field {
  const session = (printed: { out: string; errors: string }, input: string[]): Session => ({
    ...{ program: 'kubectl', names: namesOf('k8s.io'), clock: realClock(), namespace: 'default' },
    context: { name: 'c', cluster: 'c', user: 'u', server: 'SERVER' },
    transport: bench.cluster.transportAs('admin'),
    files: inMemory({}),
    signal: new AbortController().signal,
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.errors += text),
    // What is piped is read until there is no more.
    input: () => Promise.resolve(input.shift() ?? ''),
  });
  return {
    run: async (words, input = '') => {
      const printed = { out: '', errors: '' };
      let code: number | undefined;
      const ending = run(commands, words, session(printed, [input])).then((ended) => void (code = ended));
      while (code === undefined) await Promise.race([bench.advance(STEP), ending]);
      await ending;
      return { ...printed, code };
    },
    pass: () => bench.advance(STEP),
  };
}

/** The real kubectl, with the flags that lead to a server. */
export const throughKubectl = (flags: readonly string[]): Field => ({
  run: (words, input) => runKubectl(words, { flags }, input),
  pass: () => new Promise((resolve) => setTimeout(resolve, STEP)),
});

/** What a command writes that has to succeed. */
export async function output(field: Field, words: readonly string[], input = ''): Promise<string> {
  const { code, out, errors } = await field.run(words, input);
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${errors || out}`);
  return out;
}

const TRIES = 300;

/** Runs a command until what it writes is as it should be. */
export async function until(
  field: Field,
  words: readonly string[],
  holds: (ran: Ran) => boolean,
  input = '',
): Promise<string> {
  let last: Ran | undefined;
  for (let i = 0; i < TRIES; i++) {
    last = await field.run(words, input);
    if (holds(last)) return last.out;
    await field.pass();
  }
  throw new Error(`${words.join(' ')} did not come to what was waited for: ${last?.out ?? ''}${last?.errors ?? ''}`);
}

/** Creates or applies objects. In JSON, since `y` alone is no text in the YAML of the field. */
export const write = (field: Field, verb: 'create' | 'apply', objects: readonly object[]): Promise<string> =>
  output(field, [verb, '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));

/** Creates namespaces; resolves once pods can be created in them. */
export async function createNamespaces(field: Field, names: readonly string[]): Promise<void> {
  const namespaces = names.map((ns) => ({
    ...{ apiVersion: 'v1', kind: 'Namespace' },
    metadata: { name: ns, labels: { ns } },
  }));
  await write(field, 'create', namespaces);
  for (const ns of names)
    await until(
      field,
      ['get', 'serviceaccount', '-n', ns, 'default', '-o', 'jsonpath={.secrets[*].name}'],
      ({ code, out }) => code === 0 && out !== '',
    );
}

/** What a shell line writes in a pod, `x/a` say, whatever its exit code. */
export async function inPod(field: Field, pod: string, line: string, container = ''): Promise<string> {
  const [namespace = '', name = ''] = pod.split('/');
  const words = ['exec', '-n', namespace, name, ...(container === '' ? [] : ['-c', container]), '--', 'sh', '-c', line];
  return (await field.run(words)).out;
}
