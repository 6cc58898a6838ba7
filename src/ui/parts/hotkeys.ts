/** Keys that work wherever no text is being typed: single ones (`/`) and sequences (`g p`); chords (`ctrl+k`) and function keys work everywhere. */
import { useLayoutEffect, useRef } from 'preact/compat';

interface Hotkey {
  readonly keys: string;
  readonly about: string | undefined;
  readonly run: () => void;
}

const SEQUENCE_PAUSE = 900;
const hotkeys: Hotkey[] = [];
let typed: { readonly key: string; readonly at: number } | undefined;

const textual = [
  'input:not([type="checkbox"])',
  'textarea, select, [contenteditable="true"], .monaco-editor, [role="menu"], [role="listbox"]',
].join();
const isTyping = (event: KeyboardEvent): boolean =>
  event.target instanceof Element && event.target.closest(textual) !== null;

/** The key of an event as it is written here. The command key counts as ctrl, so that one word serves every machine. */
function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key : event.key.toLowerCase();
  return `${event.ctrlKey || event.metaKey ? 'ctrl+' : ''}${event.altKey ? 'alt+' : ''}${key}`;
}

// The latest to register wins, so that what was opened last stands before what is beneath it.
const find = (keys: string): Hotkey | undefined => hotkeys.findLast((hotkey) => hotkey.keys === keys);

/** While a dialog stands, nothing beneath it can be reached, by keys neither. */
const isBlocked = (): boolean => document.querySelector('dialog:modal') !== null;

function press(event: KeyboardEvent): void {
  const key = nameOf(event);
  if (event.defaultPrevented || isBlocked() || (isTyping(event) && !/^(ctrl\+|f\d)/.test(key))) return;
  const after = typed && event.timeStamp - typed.at < SEQUENCE_PAUSE ? find(`${typed.key} ${key}`) : undefined;
  const found = after ?? find(key);
  // A key may do something by itself and begin a sequence besides.
  typed = after ? undefined : { key, at: event.timeStamp };
  if (!found) return;
  event.preventDefault();
  found.run();
}

/** Starts to listen; called once, by the page's entry. */
export function listenForHotkeys(): void {
  document.addEventListener('keydown', press);
}

/** While the component stands, `keys` call `run`. With `about` they are listed among the page's keys. */
export function useHotkey(keys: string, run: () => void, about?: string): void {
  const latest = useRef(run);
  // Before the page is painted: a key that is pressed as soon as something shows must not do what it did before.
  useLayoutEffect(() => {
    latest.current = run;
  });
  useLayoutEffect(() => {
    const hotkey: Hotkey = { keys, about, run: () => latest.current() };
    hotkeys.push(hotkey);
    return () => void hotkeys.splice(hotkeys.indexOf(hotkey), 1);
  }, [keys, about]);
}

/** The keys that work now, with what they do. */
export function listHotkeys(): readonly { readonly keys: string; readonly about: string }[] {
  return hotkeys.flatMap(({ keys, about }) => (about ? [{ keys, about }] : []));
}
