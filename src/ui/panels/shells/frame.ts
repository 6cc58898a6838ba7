/** A terminal on the page: what programs write stands in it, in the page's colours and size of text. */
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { listHotkeys } from '../../parts/index.ts';
import { themeOf } from './theme.ts';
import { scrollByTouch } from './touch.ts';

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

/** Whether a lesson beside the terminal has a use for F6. */
const isLessonKey = (key: string): boolean => key === 'F6' && listHotkeys().some(({ keys }) => keys === 'f6');

/**
 * Keys that the page handles even while a terminal has the focus: Ctrl+` shows and hides it, F8 enters a lesson's next command,
 * F6 leads to a lesson's task.
 */
const isPageKey = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key === 'F8' || isLessonKey(key) || (key === '`' && (ctrlKey || metaKey));

/** There the browser copies and pastes with another key, and these are the terminal's. */
const isMac = navigator.platform.startsWith('Mac');

/** Whether the browser pastes with a key, or copies what is marked in the terminal. */
function isBrowserKey(event: KeyboardEvent, { hasSelection }: { hasSelection: boolean }): boolean {
  const { ctrlKey, shiftKey, altKey, metaKey } = event;
  if (isMac || !ctrlKey || shiftKey || altKey || metaKey) return false;
  const letter = letterOf(event);
  return letter === 'v' || (letter === 'c' && hasSelection);
}

/** The letter of a key, on keyboards of other scripts the one in its place. */
const letterOf = ({ key, code }: KeyboardEvent): string =>
  (/^[a-z]$/i.test(key) ? key : code.replace(/^Key/, '')).toLowerCase();

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
    if (isPageKey(event) || isBrowserKey(event, { hasSelection: terminal.hasSelection() })) return false;
    if (event.key !== 'F6') return true;
    if (event.type !== 'keydown') return false;
    // Outside the terminal the key may do something else.
    event.preventDefault();
    onLeave();
    return false;
  });
  // What was marked has been copied: the next ^C ends what runs.
  host.addEventListener('copy', () => terminal.clearSelection());
  scrollByTouch(host, terminal);
  let opened = false;
  return {
    ...{ terminal, host },
    fit: () => {
      if (!opened) terminal.open(host);
      if (!opened) takeText(terminal);
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

/** Keys that put text into the line by themselves; the terminal has read them when the text arrives. */
const putsText = ({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean =>
  // Some systems tell AltGr as control and alt.
  (!ctrlKey || altKey) && !metaKey && ([...key].length === 1 || OTHER_KEYS.includes(key));

/** What keyboards on screens and those of other scripts send: the terminal then looks at the text itself. */
const OTHER_KEYS = ['Dead', 'Process', 'Unidentified'];

/** How text comes that nobody typed with keys; what is composed or pasted the terminal takes itself. */
const INSERTED = ['insertText', 'insertReplacementText'];

/** Takes text that comes without keys, as from a panel of emoji or from dictation: a terminal that is read aloud leaves it out. */
function takeText(terminal: Terminal): void {
  const { textarea } = terminal;
  let keyed = false;
  textarea?.addEventListener('keydown', (event) => (keyed = putsText(event)), true);
  textarea?.addEventListener('keyup', () => (keyed = false), true);
  textarea?.addEventListener('input', (event) => {
    const { data, inputType, isComposing } = event as InputEvent;
    if (!keyed && !isComposing && data !== null && INSERTED.includes(inputType)) terminal.input(data, true);
    keyed = false;
  });
}
