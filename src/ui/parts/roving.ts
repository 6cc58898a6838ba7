import type { KeyboardEvent } from 'preact/compat';

/** Where a key leads from the place `at` in a row of `count`; undefined for keys that lead nowhere. */
function placeAfter(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowRight' || key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowLeft' || key === 'ArrowUp') return (at + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/**
 * A row of controls that is one stop of the tab key: arrows, home and end go from one to the next and choose it. `role` is
 * theirs; `choose` gets the place of the one that is gone to from `at`.
 */
export function walkRow(
  event: KeyboardEvent<HTMLElement>,
  role: string,
  at: number,
  choose: (place: number) => void,
): void {
  const controls = event.currentTarget.querySelectorAll<HTMLElement>(`[role="${role}"]`);
  const next = placeAfter(event.key, at, controls.length);
  if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  controls[next]?.focus();
  choose(next);
}
