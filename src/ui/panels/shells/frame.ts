/** A terminal on the page: what programs write stands in it, in the page's colours and size of text. */
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { themeOf } from './theme.ts';

export interface Frame {
  readonly terminal: Terminal;
  /** What the terminal stands in. */
  readonly host: HTMLElement;
  /** Makes the terminal as large as its host, in the page's colours. */
  fit(): void;
  end(): void;
}

interface FrameOptions {
  /** Somebody wants to leave the terminal by keyboard. */
  readonly onLeave: () => void;
  /** Somebody follows a link. Without this links lead nowhere. */
  readonly onLink?: (target: string) => void;
}

/** Of the page's usual size of text. */
const FONT_SIZE = 0.8125;

const sizeOfText = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize) * FONT_SIZE;

/** Keys that are the page's, not the terminal's. */
const isPageKey = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => key === '`' && (ctrlKey || metaKey);

export function makeFrame({ onLeave, onLink }: FrameOptions): Frame {
  const host = document.createElement('div');
  const terminal = new Terminal({
    screenReaderMode: true,
    scrollback: 5_000,
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-code'),
    fontSize: sizeOfText(),
    // What a program calls a link leads nowhere in the net.
    linkHandler: { activate: (_event, target) => onLink?.(target), allowNonHttpProtocols: true },
  });
  const fitting = new FitAddon();
  terminal.loadAddon(fitting);
  terminal.attachCustomKeyEventHandler((event) => {
    if (isPageKey(event)) return false;
    if (event.key !== 'F6') return true;
    if (event.type === 'keydown') onLeave();
    return false;
  });
  let opened = false;
  return {
    ...{ terminal, host },
    fit: () => {
      if (!opened) terminal.open(host);
      opened = true;
      terminal.options.theme = themeOf(host);
      terminal.options.fontSize = sizeOfText();
      fitting.fit();
    },
    end: () => {
      terminal.dispose();
      host.remove();
    },
  };
}
