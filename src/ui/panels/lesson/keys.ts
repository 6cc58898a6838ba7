/** The function keys of a lesson: F6 leads between the task and the terminal, F8 puts the next command of a talk. */
import { useEffect, useEffectEvent } from 'preact/compat';
import { useHotkey } from '../../parts/index.ts';
import { hideOverlay, useOverlay } from '../../shell/overlay.ts';
import { openTerminal } from '../terminal/opened.ts';

/** Parts of the shell that are dialogs on a phone. While any other dialog is open, these keys do nothing. */
const SHEETS = ['Lesson', 'Dock'];

/** Whether the dialogs that stand are parts of the shell, at least one of them. */
function isOverSheets(): boolean {
  const dialogs = [...document.querySelectorAll('dialog:modal')];
  return dialogs.length > 0 && dialogs.every(({ ariaLabel }) => SHEETS.includes(ariaLabel ?? ''));
}

/** While the component stands, a function key calls `run`: also while the terminal or the lesson lies over a phone's page, when the page's other keys rest. */
export function useLessonKey(keys: 'f6' | 'f8', run: () => void, about: string): void {
  useHotkey(keys, run, about);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== keys || event.defaultPrevented || !isOverSheets()) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/** The title of the current task or, once the lesson is complete, of its summary. */
const findPlace = (): HTMLElement | null => document.querySelector<HTMLElement>('[data-place]');
/** What belongs to the title. */
const around = (place: HTMLElement | null): Element | null | undefined => place?.closest('li, section');

/** Brings the summary of a lesson into sight, or the task. */
export const showPlace = (): void => around(findPlace())?.scrollIntoView({ block: 'start' });

/** Brings the keyboard to the current task or, once the lesson is complete, to its summary. */
export function enterLesson(): void {
  findPlace()?.focus({ preventScroll: true });
  showPlace();
}

/** From the task to the terminal, from anywhere else to the task; `show` makes the task visible, at the next frame at the latest. */
export function changeSides(show: () => void): void {
  if (around(findPlace())?.contains(document.activeElement)) return openTerminal();
  // On a phone the terminal lies over the lesson.
  if (useOverlay.getState().overlay === 'dock') hideOverlay();
  show();
  requestAnimationFrame(enterLesson);
}
