/**
 * Between a screen with its keyboard and the programs that run: while a line is asked for, keys edit it; while a command runs,
 * they are its input, line by line, and ^C ends it; a command in a container may have all of them as they are.
 */
import type { RemoteCommand } from '../../client/index.ts';
import { BaseStream, type Stream, type TerminalSize } from '../../programs/index.ts';
import { encodeText, inBackground, throwToHost } from '../../std/index.ts';
import { Drawing } from '../line/drawing.ts';
import { listed } from '../line/choices.ts';
import { asTyped, KeyReader, type Key } from '../line/keys.ts';
import { LineEditor, type Completion, type LineOptions } from '../line/lineEditor.ts';
import type { Screen, Size } from '../surroundings.ts';
import { LineInput } from './lineInput.ts';
import { Visible } from './visible.ts';

const PASTES_ON = '\x1b[?2004h';
const PASTES_OFF = '\x1b[?2004l';
/** Takes back what a program in a container may have switched on: another screen, a hidden cursor, the mouse, colours. */
const AS_BEFORE = '\x1b[?1047l\x1b[?25h\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1l\x1b[?7h\x1b[0m\x1b[!p';

export class Console {
  /** What programs read and write. */
  readonly stream: Stream;
  readonly #screen: Screen;
  readonly #interrupt: () => void;
  readonly #reader = new KeyReader();
  readonly #input = new LineInput((shown) => inBackground(this.#show(shown), throwToHost));
  readonly #visible = new Visible();
  readonly #decoder = new TextDecoder();
  #keys: Key[] = [];
  #wake: (() => void) | undefined;
  #asking: { readonly editor: LineEditor; readonly drawing: Drawing; readonly prompt: string } | undefined;
  #takes: ((data: string) => void) | undefined;
  #resized: ((size: Size) => void) | undefined;
  #stopCompletion: (() => void) | undefined;
  #draft = '';
  #atStart = true;
  #closed = false;

  /** `interrupt` ends the command that runs. */
  constructor(screen: Screen, interrupt: () => void) {
    this.#screen = screen;
    this.#interrupt = interrupt;
    this.stream = new ConsoleStream(this);
  }

  /** What the keyboard sends. */
  type(data: string): void {
    if (this.#takes) this.#takes(data);
    else if (this.#asking) this.#edit(data);
    else this.#run(data);
  }

  /** Puts a text into the line, or into the next one, as if it were pasted. */
  insert(text: string): void {
    if (this.#asking) this.#push([{ type: 'paste', text: asTyped(text) }]);
    else this.#draft += asTyped(text);
  }

  resized(): void {
    this.#resized?.(this.#screen.size);
    const asking = this.#asking;
    if (!asking) return;
    const { belowMark } = this.#screen;
    if (belowMark !== undefined) asking.drawing.rewrap(belowMark);
    inBackground(this.#draw(), throwToHost);
  }

  /** Nobody types any more. */
  close(): void {
    this.#closed = true;
    this.#input.end();
    this.#wake?.();
  }

  get size(): TerminalSize {
    return this.#screen.size;
  }

  /** Asks for a command line. Undefined where somebody ends the shell, or is gone. */
  async ask(prompt: string, options: LineOptions): Promise<string | undefined> {
    await this.say(PASTES_ON);
    const draft = this.#draft;
    this.#draft = '';
    const complete = (text: string, at: number): Promise<Completion> => this.#complete(options, text, at);
    const asking = { prompt, drawing: new Drawing(), editor: new LineEditor({ ...options, complete }, draft) };
    this.#asking = asking;
    this.#edit(this.#input.takeBack());
    try {
      return await this.#typed();
    } finally {
      this.#asking = undefined;
      await this.#screen.write(PASTES_OFF);
    }
  }

  /** Gives the screen and the keyboard to a command in a container until that ends. */
  async interact(command: RemoteCommand): Promise<void> {
    // Input that no longer reaches the command is dropped: its end says why.
    const send = (work: Promise<void>): void => inBackground(work, () => undefined);
    this.#takes = (data) => send(command.stdin.write(encodeText(data)));
    this.#resized = (size) => send(command.resize(size));
    const decoder = new TextDecoder();
    try {
      await command.resize(this.#screen.size);
      for (let bytes = await command.stdout.read(); bytes; bytes = await command.stdout.read())
        await this.#screen.write(decoder.decode(bytes, { stream: true }));
    } finally {
      this.#takes = undefined;
      this.#resized = undefined;
      await this.#screen.write(AS_BEFORE);
      this.#atStart = false;
    }
  }

  /** Writes what a program said, made safe. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#show(this.#visible.take(this.#decoder.decode(bytes, { stream: true })));
  }

  /** Writes what the terminal itself says; it may hold control sequences. */
  async say(text: string): Promise<void> {
    await this.#show(this.#visible.finish());
    await this.#show((this.#atStart ? '' : '\r\n') + text);
  }

  /** Moves about on the screen: what it shows is no text. */
  async control(sequence: string): Promise<void> {
    await this.#screen.write(sequence);
  }

  readInput(signal?: AbortSignal): Promise<Uint8Array | undefined> {
    return this.#input.read(signal);
  }

  clear(): void {
    this.#screen.clear();
    this.#atStart = true;
  }

  async #show(text: string): Promise<void> {
    if (text === '') return;
    const seen = text.replace(/\x1b\[[0-9;?]*[a-zA-Z]/g, '');
    if (seen !== '') this.#atStart = seen.endsWith('\n');
    await this.#screen.write(text);
  }

  #edit(data: string): void {
    if (data.includes('\x03')) this.#stopCompletion?.();
    this.#push(this.#reader.read(data));
  }

  #push(keys: readonly Key[]): void {
    this.#keys.push(...keys);
    this.#wake?.();
  }

  /** A command runs: what is typed is shown, and its input. */
  #run(data: string): void {
    const at = data.lastIndexOf('\x03');
    if (at >= 0) {
      this.#input.drop();
      inBackground(this.#show('^C\r\n'), throwToHost);
      this.#interrupt();
    }
    this.#input.type(data.slice(at + 1));
  }

  async #typed(): Promise<string | undefined> {
    for (;;) {
      const key = this.#keys.shift();
      if (!key) {
        await this.#draw();
        await this.#nextKeys();
        if (this.#closed) return undefined;
        continue;
      }
      const done = await this.#press(key);
      if (done) return done.text;
    }
  }

  async #press(key: Key): Promise<{ readonly text: string | undefined } | undefined> {
    const asking = this.#asking;
    if (!asking) return { text: undefined };
    const { editor, drawing } = asking;
    const { columns } = this.#screen.size;
    const outcome = await editor.press(key);
    const leave = (): Promise<void> => this.#screen.write(drawing.leave(lineOf(asking), columns));
    // What is typed from now on is for the command.
    if (outcome.type === 'entered') this.#asking = undefined;
    switch (outcome.type) {
      case 'entered':
        await leave();
        this.#atStart = true;
        return { text: outcome.text };
      case 'given-up':
        await this.#screen.write(drawing.leave({ ...lineOf(asking), note: '^C' }, columns));
        this.#atStart = true;
        return { text: '' };
      case 'ended':
        await this.#screen.write('exit\r\n');
        this.#atStart = true;
        return { text: undefined };
      case 'clear':
        this.#screen.clear();
        drawing.forget();
        return undefined;
      case 'choices':
        await leave();
        await this.#screen.write(listed(outcome.choices, columns));
        return undefined;
      case 'many':
        await leave();
        await this.#screen.write(`${outcome.count} possibilities. Tab again lists them, F6 leaves the terminal.\r\n`);
        return undefined;
      case 'typing':
        return undefined;
    }
  }

  async #draw(): Promise<void> {
    const asking = this.#asking;
    if (!asking) return;
    const { drawing } = asking;
    await this.#screen.write(drawing.draw(lineOf(asking), this.#screen.size));
    if (this.#asking === asking) this.#screen.mark(drawing.row);
  }

  async #nextKeys(): Promise<void> {
    if (this.#keys.length > 0 || this.#closed) return;
    await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#wake = undefined;
  }

  /** What takes long to complete can be broken off. */
  async #complete({ complete }: LineOptions, text: string, at: number): Promise<Completion> {
    const nothing = { from: at, choices: [] };
    const stopped = new Promise<Completion>((resolve) => (this.#stopCompletion = () => resolve(nothing)));
    // A failed question completes nothing; the command itself will report the error.
    const found = complete(text, at).catch(() => nothing);
    try {
      return await Promise.race([found, stopped]);
    } finally {
      this.#stopCompletion = undefined;
    }
  }
}

const lineOf = ({
  editor,
  prompt,
}: {
  readonly editor: LineEditor;
  readonly prompt: string;
}): Parameters<Drawing['draw']>[0] => ({ prompt: editor.searching ?? prompt, ...editor.buffer });

class ConsoleStream extends BaseStream {
  readonly #console: Console;

  constructor(console: Console) {
    super();
    this.#console = console;
  }

  get terminal(): TerminalSize {
    return this.#console.size;
  }

  override write(bytes: Uint8Array): Promise<void> {
    return this.#console.write(bytes);
  }

  protected override readMore(signal?: AbortSignal): Promise<Uint8Array | undefined> {
    return this.#console.readInput(signal);
  }
}
