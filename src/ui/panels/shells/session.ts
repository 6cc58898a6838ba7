/** A terminal and the command that runs in it: it lives on while the dock shows something else. */
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { createStore, type StoreApi } from 'zustand';
import { execIn, type ContainerTarget, type RemoteCommand } from '../../../client/index.ts';
import { encodeText } from '../../../std/index.ts';
import { messageOf } from '../../stores/actions.ts';
import { theClient } from '../../stores/clients.ts';
import { themeOf } from './theme.ts';

export type ShellState = 'connecting' | 'open' | 'ended';

export interface ShellSession {
  /** What the terminal stands in. */
  readonly host: HTMLElement;
  readonly store: StoreApi<{ readonly state: ShellState }>;
  /** Makes the terminal as large as its host, in the page's colours. */
  fit(): void;
  focus(): void;
  /** Starts another shell in the same terminal. */
  connect(): void;
  /** Ends the shell, and the terminal with it. */
  end(): void;
}

const COMMAND = ['sh'];

/** Starts a shell in a container. `onLeave` hears when somebody wants to leave the terminal by keyboard. */
export function startShell(target: ContainerTarget, onLeave: () => void): ShellSession {
  const host = document.createElement('div');
  const store = createStore<{ readonly state: ShellState }>(() => ({ state: 'connecting' }));
  const terminal = new Terminal({
    screenReaderMode: true,
    scrollback: 5_000,
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-code'),
    fontSize: 13,
    // What a program calls a link leads nowhere.
    linkHandler: { activate: () => undefined },
  });
  const fitting = new FitAddon();
  terminal.loadAddon(fitting);
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.key !== 'F6') return true;
    if (event.type === 'keydown') onLeave();
    return false;
  });
  let opened = false;
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
      await show(command, terminal);
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
    host,
    store,
    fit: () => {
      if (!opened) terminal.open(host);
      opened = true;
      terminal.options.theme = themeOf(host);
      fitting.fit();
    },
    focus: () => terminal.focus(),
    connect: () => void run(),
    end: () => {
      ending = true;
      running?.close();
      terminal.dispose();
      host.remove();
    },
  };
}

/** Shows what the command writes, as fast as the terminal takes it. */
async function show({ stdout }: RemoteCommand, terminal: Terminal): Promise<void> {
  for (let bytes = await stdout.read(); bytes; bytes = await stdout.read()) {
    const written = bytes;
    await new Promise<void>((resolve) => terminal.write(written, resolve));
  }
}

/** A message of the server's without what a terminal would take for a command. */
const plain = (text: string): string => text.replace(/[\x00-\x1f\x7f-\x9f]/g, ' ');
