/** A terminal: a shell on a small computer of its own, a screen and a keyboard. */
import { isIncomplete, shellWords, type Program, type Prompt } from '../programs/index.ts';
import { inBackground, throwToHost } from '../std/index.ts';
import { Knowledge } from './completion/cluster.ts';
import { completer } from './completion/index.ts';
import { History } from './line/history.ts';
import { repeated } from './line/repeat.ts';
import { makeComputer, type Computer, type Running } from './machine/computer.ts';
import { Console } from './machine/console.ts';
import { actingAs, type Acting } from './machine/context.ts';
import { Home, HOME } from './machine/home.ts';
import { LineCount } from './machine/lineCount.ts';
import { ownPrograms } from './programs/index.ts';
import type { Tools } from './programs/tools.ts';
import type { Kept, Screen, Surroundings } from './surroundings.ts';

export interface Terminal {
  /** What the keyboard sends. */
  type(data: string): void;
  /** Puts a command line where it only has to be confirmed. */
  insert(text: string): void;
  /**
   * Puts files into the folder where the shell is, or the home folder where it is outside of that, and types what they are
   * called, as if somebody had. Throws SystemError where there is no room.
   */
  add(files: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** The screen has another size. */
  resized(): void;
  /** Ends everything that runs; nothing is written any more. */
  end(): void;
}

const NOTHING: Kept = { files: new Map(), history: [] };
const DIM = '\x1b[2m';
const PLAIN = '\x1b[0m';

/** Starts a terminal; `name` is that of the cluster. Resolves when it asks for the first line. */
export async function startTerminal(name: string, screen: Screen, surroundings: Surroundings): Promise<Terminal> {
  const counted = new LineCount();
  let running: Running | undefined;
  let problem = '';
  const kept = await surroundings.store.read().catch((error: unknown) => {
    problem = `Your files and history could not be read: ${textOf(error)}\r\n`;
    return NOTHING;
  });
  const console = new Console(screen, () => running?.interrupt());
  const home = new Home(kept, () => surroundings.clock.now());
  const history = new History(kept.history);
  const tools: Tools = {
    ...{ name, surroundings, console, history, memory: {} },
    line: () => counted.line,
    transport: () => counted.counting(surroundings.transport(counted.line)),
  };
  const programs = new Map<string, Program>(
    ownPrograms(tools).flatMap(({ names, program }) => names.map((each) => [each, program] as const)),
  );
  const computer = makeComputer({ name, home, programs, clock: surroundings.clock });
  // The first command finds ready what the server serves.
  inBackground(new Knowledge(surroundings, tools.memory).resources(), () => undefined);
  const { ctl } = surroundings.names;
  await console.say(`${problem}${DIM}Type ${ctl} get pods, or help. Tab completes.${PLAIN}\r\n`);
  let cwd = HOME;
  const ask = lines(tools, computer, counted, home);
  const next: typeof ask = (prompt) => {
    cwd = prompt.cwd;
    return ask(prompt);
  };
  let ended = false;
  const run = async (): Promise<void> => {
    while (!ended) {
      running = computer.start(console.stream, next);
      await running.exit;
    }
  };
  inBackground(run(), throwToHost);
  return {
    type: (data) => console.type(data),
    insert: (text) => console.insert(text),
    add: async (files) => {
      const isHome = `${cwd}/`.startsWith(`${HOME}/`);
      const tops = home.add(files, isHome ? cwd.slice(HOME.length) : '');
      console.type(tops.map((name) => `${quoted(isHome ? name : `${HOME}/${name}`)} `).join(''));
      await home.keep(surroundings.store);
    },
    resized: () => console.resized(),
    end: () => {
      ended = true;
      console.close();
      running?.end();
    },
  };
}

/** Asks for each line, after what came of the one before is kept. */
function lines(
  { name, console, history, surroundings, memory }: Tools,
  computer: Computer,
  counted: LineCount,
  home: Home,
): (prompt: Prompt) => Promise<string | undefined> {
  return async (prompt) => {
    try {
      await home.keep(surroundings.store);
    } catch (error) {
      await console.say(`Your files could not be kept: ${textOf(error)}\r\n`);
    }
    await sayRequests(counted, console);
    const acting = await actingAs(name, home, surroundings);
    const complete = completer({
      ...{ surroundings, acting, memory, mounts: computer.mounts, cwd: prompt.cwd },
      programs: [...computer.programs, ...shellWords],
    });
    surroundings.contextChosen?.(acting.own ? undefined : acting);
    const typed = await console.ask(promptText(prompt, acting, console.size.columns), {
      ...{ history, isIncomplete, complete },
    });
    const text = typed && (await withEarlier(typed, history, console));
    if (text !== undefined && history.add(text))
      // What can't be kept is still there until the page is left.
      await surroundings.store.keepHistory(history.lines).catch(() => undefined);
    if (text?.trim()) counted.begin();
    return text;
  };
}

/** The line with `!!` and its like replaced, and then shown; nothing where they mean nothing. */
async function withEarlier(typed: string, history: History, console: Console): Promise<string> {
  const line = repeated(typed, history.lines);
  if ('missing' in line) await console.say(`${line.missing}: event not found\r\n`);
  else if (line.text !== typed) await console.say(`${line.text}\r\n`);
  return 'missing' in line ? '' : line.text;
}

async function sayRequests(counted: LineCount, console: Console): Promise<void> {
  const requests = counted.take();
  if (requests === 0) return;
  const text = `${requests} ${requests === 1 ? 'request' : 'requests'}`;
  await console.say(`${DIM}\x1b]8;;requests:${counted.line}\x1b\\${text}\x1b]8;;\x1b\\${PLAIN}\r\n`);
}

/** A word as a shell reads it. */
const quoted = (word: string): string =>
  /^[\w./@:+][\w./@:+-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

const NARROW = 60;

/** Where commands go, as whom, and where in the files: the parts that differ from what one expects. */
function promptText({ cwd, status }: Prompt, { user, namespace }: Acting, columns: number): string {
  const sign = status === 0 ? '\x1b[32m$\x1b[0m ' : '\x1b[31m$\x1b[0m ';
  const place = cwd === HOME ? '~' : cwd.startsWith(`${HOME}/`) ? `~${cwd.slice(HOME.length)}` : cwd;
  if (columns < NARROW) return `${place} ${sign}`;
  const who = user === 'administrator' ? '' : `${user} in `;
  return `${DIM}${who}${namespace}${PLAIN} ${place} ${sign}`;
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
