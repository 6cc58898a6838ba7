/** Talking with a program in a container: input and output until it ends. */
import type { RemoteCommand } from '../../client/index.ts';
import { encodeText, inBackground } from '../../std/index.ts';
import { CommandError, complaint } from '../command/errors.ts';
import { toggle } from '../command/flags.ts';
import type { Session } from '../command/session.ts';

export const conversationFlags = {
  stdin: toggle({ short: 'i' }),
  tty: toggle({ short: 't' }),
};

export interface Talking {
  readonly session: Session;
  readonly stdin: boolean;
  /** Whether the program has a terminal. */
  readonly tty: boolean;
}

/** Whether the program gets a terminal; it can't have one where there is none. */
export function withTerminal(session: Session, given: { readonly stdin: boolean; readonly tty: boolean }): boolean {
  if (!given.tty) return false;
  if (given.stdin && session.interact) return true;
  session.err('Unable to use a TTY - input is not a terminal or the right kind of file\n');
  return false;
}

/** Carries input and output until the program ends. Throws where it did not end well. */
export async function converse({ session, stdin, tty }: Talking, running: RemoteCommand): Promise<void> {
  if (tty && session.interact) await session.interact(running);
  else {
    // A command may end without having read all of its input.
    if (stdin)
      inBackground(
        feed(running, () => session.input()),
        () => undefined,
      );
    await Promise.all([
      pour(running.stdout, (chunk) => session.out(chunk)),
      pour(running.stderr, (chunk) => session.err(chunk)),
      running.result,
    ]);
  }
  const { exitCode, message } = await running.result;
  if (exitCode === 0) return;
  if (exitCode === undefined) throw complaint(message);
  throw new CommandError(`command terminated with exit code ${exitCode}`, exitCode);
}

async function feed({ stdin }: RemoteCommand, input: () => Promise<string>): Promise<void> {
  for (let typed = await input(); typed !== ''; typed = await input()) await stdin.write(encodeText(typed));
  stdin.end();
}

async function pour(stream: RemoteCommand['stdout'], print: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for (let bytes = await stream.read(); bytes; bytes = await stream.read())
    print(decoder.decode(bytes, { stream: true }));
}
