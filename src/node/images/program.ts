/** What a container does when it runs, as far as anybody can see: output, and how it ends. */
export interface Program {
  /** Milliseconds until it ends by itself; undefined where it runs until it is stopped. */
  readonly runsFor?: number;
  readonly exitCode: number;
  /** Why it ended, where that isn't just its exit code. */
  readonly reason?: 'OOMKilled';
  /** What it writes, by milliseconds after its start. */
  readonly output: readonly Line[];
  /** What it writes again and again. */
  readonly repeating?: { readonly from: number; readonly every: number; readonly lines: readonly Line[] };
  /** Milliseconds until it ends when it is told to; undefined where it doesn't listen and has to be killed. */
  readonly stopsIn?: number;
}

export interface Line {
  readonly at: number;
  readonly text: string;
}

/** How a container is started. */
export interface Invocation {
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Image {
  /** Bytes; how long a pull takes follows from it. */
  readonly size: number;
  /** What it does; `command` is empty where the container doesn't override the image's own. */
  run(invocation: Invocation): Program;
}

const STOPS_SOON = 200;

/** A server that runs until it is told to stop. */
export function serves(...output: string[]): Program {
  return { exitCode: 0, output: output.map((text, i) => ({ at: i * 5, text })), stopsIn: STOPS_SOON };
}

/** Something that does its work and ends. */
export function endsWith(exitCode: number, runsFor: number, ...output: string[]): Program {
  return { exitCode, runsFor, output: output.map((text) => ({ at: Math.max(0, runsFor - 1), text })) };
}

/** Everything written between the start and a moment, both in milliseconds; the oldest first. */
export function outputUntil(program: Program, elapsed: number, atMost = 5000): Line[] {
  const lines = program.output.filter((line) => line.at <= elapsed);
  const { repeating } = program;
  if (!repeating || elapsed < repeating.from) return lines;
  const rounds = Math.floor((elapsed - repeating.from) / repeating.every) + 1;
  // Of a loop that has run for days only the newest rounds have to be written out.
  const first = Math.max(0, rounds - Math.ceil(atMost / Math.max(1, repeating.lines.length)));
  for (let round = first; round < rounds; round++) {
    const start = repeating.from + round * repeating.every;
    for (const { at, text } of repeating.lines) if (start + at <= elapsed) lines.push({ at: start + at, text });
  }
  return lines;
}

/** Milliseconds after the start at which the next line comes, if one does. */
export function nextOutput(program: Program, elapsed: number): number | undefined {
  const once = program.output.find((line) => line.at > elapsed)?.at;
  const { repeating } = program;
  if (!repeating || repeating.lines.length === 0) return once;
  const round = Math.max(0, Math.floor((elapsed - repeating.from) / repeating.every));
  const coming = [round, round + 1].flatMap((r) =>
    repeating.lines.map((line) => repeating.from + r * repeating.every + line.at),
  );
  return Math.min(once ?? Infinity, ...coming.filter((at) => at > elapsed));
}
