/** Which columns of a table stand beside each other in the room that it has. All widths are in characters. */
import { useLayoutEffect, useMemo, useState, type RefObject } from 'react';
import { useNarrow } from './narrow.ts';

/** The part of a column that decides whether it is shown. */
export interface Fitting {
  /** Width in characters; the last column takes what is left. */
  readonly width: number;
  /** The width on a phone. Where any column has one, those without are left out there, and wherever there is no room for them. */
  readonly onPhone?: number;
}

const PADDING = 2.5;
/** The first column stands a little further from the edge. */
const INDENT = 1.5;

/** What a column takes, padding and all. */
export const roomOf = ({ width }: Fitting, at: number): number => width + PADDING + (at === 0 ? INDENT : 0);

export const widthOfAll = (columns: readonly Fitting[]): number =>
  columns.reduce((sum, column, at) => sum + roomOf(column, at), 0);

/** The columns for a phone. */
const forPhone = <C extends Fitting>(columns: readonly C[]): readonly C[] =>
  columns.flatMap((column) => (column.onPhone === undefined ? [] : { ...column, width: column.onPhone }));

/** Leaves out columns that a phone does without, the last first, until the others fit into `room`. */
export function fittingColumns<C extends Fitting>(columns: readonly C[], room: number): readonly C[] {
  const least = columns.findLastIndex(({ onPhone }) => onPhone === undefined);
  const canShrink = least >= 0 && columns.some(({ onPhone }) => onPhone !== undefined);
  if (!canShrink || widthOfAll(columns) <= room) return columns;
  return fittingColumns(columns.toSpliced(least, 1), room);
}

/** How many characters fit beside each other in an element; before it is known, any number. */
function useRoom(element: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(Infinity);
  useLayoutEffect(() => {
    const measured = element.current;
    const table = measured?.querySelector('table');
    if (!measured || !table) return;
    const measure = (): void => setRoom(Math.floor(measured.clientWidth / digitIn(table)));
    const sizes = new ResizeObserver(measure);
    sizes.observe(measured);
    measure();
    return () => sizes.disconnect();
  }, [element]);
  return room;
}

/** Of the type that tables are set in, a digit is so much of its size wide; a little more than most. */
const DIGIT = 0.61;
const digitIn = (table: HTMLElement): number => parseFloat(getComputedStyle(table).fontSize) * DIGIT;

/** The columns that fit into the element that the table scrolls in. */
export function useFittingColumns<C extends Fitting>(
  columns: readonly C[],
  scroller: RefObject<HTMLElement | null>,
): readonly C[] {
  const narrow = useNarrow();
  const room = useRoom(scroller);
  return useMemo(() => {
    const least = narrow ? forPhone(columns) : [];
    return least.length > 0 ? least : fittingColumns(columns, room);
  }, [columns, narrow, room]);
}
