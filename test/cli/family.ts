/** What a family of command lines says of itself. */

/** A command line; one with input, which is piped into it; or one that is repeated until it prints what it should. */
export type Step =
  string | { readonly line: string; readonly input: string } | { readonly line: string; readonly until: string };

export interface Family {
  /** The name of its file in `recorded/`. */
  readonly name: string;
  /**
   * Lines that change the cluster: they run in order, for each client against a fresh cluster of its own. The lines of
   * other families all run against one cluster, and may not depend on each other.
   */
  readonly writes?: boolean;
  /** Objects, as YAML, that the family needs; its lines then run against a cluster of its own. */
  readonly objects?: string;
  /** Flags of the API server besides those of every cluster; its lines then run against a cluster of its own. */
  readonly apiserver?: readonly string[];
  /** Runs before the lines: what has to be printed before the cluster is as they expect it. */
  readonly awaits?: readonly Step[];
  /** The files in the folder where the lines run, by their path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export const lineOf = (step: Step): string => (typeof step === 'string' ? step : step.line);
export const inputOf = (step: Step): string => (typeof step !== 'string' && 'input' in step ? step.input : '');

/** What a command line printed. */
export interface Ended {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** Runs one step with one of the two clients. */
export type Runner = (line: string, input: string) => Promise<Ended>;

const PATIENCE = 60_000;

/** Runs a step; one that says what it waits for is repeated until it prints that. */
export async function runStep(step: Step, run: Runner): Promise<Ended> {
  if (typeof step === 'string' || 'input' in step) return run(lineOf(step), inputOf(step));
  const end = performance.now() + PATIENCE;
  for (;;) {
    const ended = await run(step.line, '');
    if (ended.out === step.until) return ended;
    if (performance.now() > end) return { ...ended, err: `${ended.err}never printed ${JSON.stringify(step.until)}\n` };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The words of a line, split at spaces; quotes hold a word together, and so do braces, in which every character stays. */
export function wordsOf(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  let depth = 0;
  for (const character of line) {
    if (quote === '' && depth === 0 && character === ' ') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (depth === 0 && (quote === '' ? /['"]/.test(character) : character === quote)) {
      word ??= '';
      quote = quote === '' ? character : '';
    } else {
      word = (word ?? '') + character;
      if (quote === '') depth += character === '{' ? 1 : character === '}' ? -1 : 0;
    }
  }
  return word === undefined ? words : [...words, word];
}
