import { getOwn } from '../../../std/index.ts';
import type { Process, Program } from '../../process.ts';
import { matchesIn, PatternError } from '../regex.ts';
import { fail, LineWriter, readLines, readOptions } from '../tool.ts';
import { parseSed, SedError, type Address, type Command, type Substitution } from './parse.ts';

/** The stream editor, as far as manifests and scripts use it. */
export const sed: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'nErsuzi', 'ef', [
    'expression=',
    'quiet',
    'silent',
    'regexp-extended',
    'in-place',
    'in-place=',
    'debug',
  ]);
  const inPlace = process.args.some((word) => /^-[nErs]*i/.test(word) || word.startsWith('--in-place'));
  const given = [...options.values('e', 'expression'), ...options.values('f').map((path) => process.files.text(path))];
  const rest = given.length > 0 ? options.rest : options.rest.slice(1);
  const script = given.length > 0 ? given.join('\n') : options.rest[0];
  if (script === undefined) return fail(process, 'no script given');
  const quiet = options.has('n', 'quiet', 'silent');
  try {
    const commands = parseSed(script, options.has('E', 'r', 'regexp-extended'));
    return inPlace ? await editFiles(process, commands, quiet, rest) : await editInput(process, commands, quiet, rest);
  } catch (problem) {
    if (problem instanceof SedError || problem instanceof PatternError) return fail(process, problem.message);
    throw problem;
  }
};

async function editInput(
  process: Process,
  commands: readonly Command[],
  quiet: boolean,
  names: readonly string[],
): Promise<number> {
  const { lines, code } = await readLines(process, names);
  const writer = new LineWriter(process);
  const exit = await new Editor(process, commands, quiet, lines, (text) => writer.line(text)).run();
  await writer.flush();
  return exit || code;
}

async function editFiles(
  process: Process,
  commands: readonly Command[],
  quiet: boolean,
  names: readonly string[],
): Promise<number> {
  let code = 0;
  for (const name of names) {
    const read = await readLines(process, [name]);
    code = Math.max(code, read.code);
    if (read.code !== 0) continue;
    let text = '';
    await new Editor(process, commands, quiet, read.lines, async (line) => void (text += `${line}\n`)).run();
    process.files.write(name, text);
  }
  return code;
}

/** Thrown to leave the commands of one cycle. */
class CycleEnd extends Error {
  readonly kind: 'next' | 'delete' | 'restart' | 'quit';

  constructor(kind: CycleEnd['kind']) {
    super(kind);
    this.kind = kind;
  }
}

class Branch extends Error {
  readonly label: string;

  constructor(label: string) {
    super(label);
    this.label = label;
  }
}

class Editor {
  readonly #process: Process;
  readonly #commands: readonly Command[];
  readonly #quiet: boolean;
  readonly #lines: readonly string[];
  readonly #write: (line: string) => Promise<void>;
  /** Where ranges that have begun will end. */
  readonly #ranges = new Map<Command, number>();
  #at = 0;
  #space = '';
  #hold = '';
  #appended: string[] = [];
  #substituted = false;
  #exit = 0;

  constructor(
    process: Process,
    commands: readonly Command[],
    quiet: boolean,
    lines: readonly string[],
    write: (line: string) => Promise<void>,
  ) {
    this.#process = process;
    this.#commands = commands;
    this.#quiet = quiet;
    this.#lines = lines;
    this.#write = write;
  }

  async run(): Promise<number> {
    let restarts = false;
    while (restarts || this.#at < this.#lines.length) {
      if (!restarts) this.#space = this.#lines[this.#at++] ?? '';
      const end = await this.#cycle();
      restarts = end === 'restart';
      if (end !== 'delete' && !restarts && !this.#quiet) await this.#write(this.#space);
      await this.#flushAppended();
      if (end === 'quit') break;
    }
    return this.#exit;
  }

  async #cycle(): Promise<CycleEnd['kind']> {
    this.#substituted = false;
    for (let from = 0; ;) {
      try {
        await this.#runAll(this.#commands.slice(from));
        return 'next';
      } catch (problem) {
        if (problem instanceof CycleEnd) return problem.kind;
        if (!(problem instanceof Branch)) throw problem;
        if (problem.label === '') return 'next';
        from = this.#commands.findIndex((command) => command.name === ':' && command.text === problem.label);
        if (from < 0) throw new SedError(`can't find label for jump to '${problem.label}'`);
      }
    }
  }

  async #runAll(commands: readonly Command[]): Promise<void> {
    for (const command of commands) {
      const slice = this.#process.step();
      if (slice) await slice;
      if (this.#selects(command) !== command.negated) await this.#runOne(command);
    }
  }

  #selects(command: Command): boolean {
    const [first, second] = command.addresses;
    if (!first) return true;
    if (!second) return this.#matches(first);
    const end = this.#ranges.get(command);
    if (end !== undefined) {
      const isLast = 'pattern' in second || 'last' in second ? this.#matches(second) : this.#at >= end;
      if (isLast) this.#ranges.delete(command);
      return end === Infinity || this.#at <= end;
    }
    if (!this.#matches(first)) return false;
    const last = 'line' in second ? second.line : 'count' in second ? this.#at + second.count : Infinity;
    if (last > this.#at) this.#ranges.set(command, last);
    return true;
  }

  #matches(address: Address): boolean {
    if ('last' in address) return this.#at >= this.#lines.length;
    if ('pattern' in address) return address.pattern.test(this.#space);
    if ('count' in address) return false;
    if (address.step) return this.#at >= address.line && (this.#at - address.line) % address.step === 0;
    return this.#at === address.line;
  }

  async #runOne(command: Command): Promise<void> {
    if (command.body) return this.#runAll(command.body);
    if (command.substitution) return this.#substitute(command.substitution);
    if (command.translation) {
      this.#space = [...this.#space].map((char) => command.translation?.get(char) ?? char).join('');
      return;
    }
    await getOwn(this.#actions, command.name)?.(command.text);
  }

  readonly #actions: Readonly<Record<string, (text: string) => void | Promise<void>>> = {
    a: (text) => void this.#appended.push(text),
    i: (text) => this.#write(text),
    c: async (text) => {
      await this.#write(text);
      throw new CycleEnd('delete');
    },
    d: () => {
      throw new CycleEnd('delete');
    },
    D: () => {
      const end = this.#space.indexOf('\n');
      if (end < 0) throw new CycleEnd('delete');
      this.#space = this.#space.slice(end + 1);
      throw new CycleEnd('restart');
    },
    p: () => this.#write(this.#space),
    P: () => this.#write(this.#space.split('\n')[0] ?? ''),
    n: async () => {
      if (this.#at >= this.#lines.length) throw new CycleEnd('quit');
      if (!this.#quiet) await this.#write(this.#space);
      await this.#flushAppended();
      this.#space = this.#lines[this.#at++] ?? '';
    },
    N: () => {
      if (this.#at >= this.#lines.length) throw new CycleEnd('quit');
      this.#space += `\n${this.#lines[this.#at++] ?? ''}`;
    },
    g: () => void (this.#space = this.#hold),
    G: () => void (this.#space += `\n${this.#hold}`),
    h: () => void (this.#hold = this.#space),
    H: () => void (this.#hold += `\n${this.#space}`),
    x: () => void ([this.#space, this.#hold] = [this.#hold, this.#space]),
    '=': () => this.#write(String(this.#at)),
    l: () => this.#write(`${JSON.stringify(this.#space).slice(1, -1)}$`),
    q: (text) => {
      this.#exit = Number(text || 0);
      throw new CycleEnd('quit');
    },
    b: (text) => {
      throw new Branch(text);
    },
    t: (text) => {
      const substituted = this.#substituted;
      this.#substituted = false;
      if (substituted) throw new Branch(text);
    },
    r: (text) => {
      const place = this.#process.files.tryFind(text);
      if (place) this.#appended.push(this.#process.files.text(text).replace(/\n$/, ''));
    },
    w: (text) => {
      const before = this.#process.files.tryFind(text) ? this.#process.files.text(text) : '';
      this.#process.files.write(text, `${before}${this.#space}\n`);
    },
  };

  async #substitute({ pattern, replacement, all, nth, prints }: Substitution): Promise<void> {
    let [result, end, count, changed] = ['', 0, 0, false];
    for (const match of matchesIn(pattern, this.#space)) {
      count += 1;
      const replaces = count === nth || (all && count >= nth);
      result +=
        this.#space.slice(end, match.start) +
        (replaces ? filled(replacement, match.groups) : this.#space.slice(match.start, match.end));
      changed ||= replaces;
      end = match.end;
      if (replaces && !all) break;
    }
    if (!changed) return;
    this.#substituted = true;
    this.#space = result + this.#space.slice(end);
    if (prints) await this.#write(this.#space);
  }

  async #flushAppended(): Promise<void> {
    for (const text of this.#appended.splice(0)) await this.#write(text);
  }
}

function filled(replacement: Substitution['replacement'], groups: readonly (string | undefined)[]): string {
  let [text, lasting, once] = ['', '', ''];
  for (const part of replacement) {
    if (typeof part === 'object') {
      if (/[ul]/.test(part.change)) once = part.change;
      else lasting = part.change;
      continue;
    }
    let piece = typeof part === 'number' ? (groups[part] ?? '') : part;
    if (lasting === 'U') piece = piece.toUpperCase();
    if (lasting === 'L') piece = piece.toLowerCase();
    if (once !== '' && piece !== '') {
      piece = (once === 'u' ? piece.charAt(0).toUpperCase() : piece.charAt(0).toLowerCase()) + piece.slice(1);
      once = '';
    }
    text += piece;
  }
  return text;
}
