/** A terminal and the command that runs in it: it lives on while the dock shows something else. */
import { createStore, type StoreApi } from '../../store.ts';
import { execIn, type ContainerTarget, type RemoteCommand } from '../../../client/index.ts';
import { encodeText } from '../../../std/index.ts';
import { messageOf } from '../../stores/actions.ts';
import { theClient } from '../../stores/clients.ts';
import { makeFrame, type Frame } from './frame.ts';

export type ShellState = 'connecting' | 'open' | 'ended';

export interface ShellSession {
  readonly frame: Frame;
  readonly store: StoreApi<{ readonly state: ShellState }>;
  /** Starts another shell in the same terminal. */
  connect(): void;
  /** Ends the shell, and the terminal with it. */
  end(): void;
}

const COMMAND = ['sh'];

/** Starts a shell in a container. `onLeave` hears when somebody wants to leave the terminal by keyboard. */
export function startShell(target: ContainerTarget, onLeave: () => void): ShellSession {
  const frame = makeFrame({ onLeave });
  const { terminal } = frame;
  const store = createStore<{ readonly state: ShellState }>(() => ({ state: 'connecting' }));
  let running: RemoteCommand | undefined;
  let ending = false;

  terminal.onData((text) => void running?.stdin.write(encodeText(text)));
  terminal.onBinary((text) => void running?.stdin.write(Uint8Array.from(text, (c) => c.charCodeAt(0))));
  terminal.onResize(({ cols, rows }) => void running?.resize({ columns: cols, rows }));

  const run = async (): Promise<void> => {
    store.setState({ state: 'connecting' });
    try {
      const command = await execIn(theClient(), target, COMMAND, { stdin: true, tty: true });
      if (ending) return command.close();
      running = command;
      store.setState({ state: 'open' });
      await command.resize({ columns: terminal.cols, rows: terminal.rows });
      await show(command, frame);
      const { exitCode, message } = await command.result;
      say(exitCode === undefined ? message : `The shell has ended with exit code ${exitCode}.`);
    } catch (problem) {
      say(messageOf(problem));
    } finally {
      running = undefined;
      store.setState({ state: 'ended' });
    }
  };

  const say = (text: string): void => {
    if (!ending) terminal.write(`\r\n\x1b[2m${plain(text)}\x1b[0m\r\n`);
  };

  void run();
  return {
    frame,
    store,
    connect: () => void run(),
    end: () => {
      ending = true;
      running?.close();
      frame.end();
    },
  };
}

/** Shows what the command writes, as fast as the terminal takes it. */
async function show({ stdout }: RemoteCommand, { terminal }: Frame): Promise<void> {
  for (let bytes = await stdout.read(); bytes; bytes = await stdout.read()) {
    const written = bytes;
    await new Promise<void>((resolve) => terminal.write(written, resolve));
  }
}

/** A message of the server's without what a terminal would take for a command. */
const plain = (text: string): string => text.replace(/[\x00-\x1f\x7f-\x9f]/g, ' ');
