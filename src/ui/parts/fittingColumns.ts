/** Which columns of a table stand beside each other in the room that it has. All widths are in characters. */
import { useMemo, type RefObject } from 'preact/compat';
import { useRoom } from './room.ts';

/** The widths by which a table decides whether it shows a column. */
export interface Fitting {
  /** Width in characters; the last column takes what is left. */
  readonly width: number;
  /** The least width, as on a phone. Where any column has one, those without are left out where there is no room for them. */
  readonly onPhone?: number;
}

const PADDING = 2.5;
/** The first column stands a little further from the edge. */
const INDENT = 1.5;

/** What a column takes, padding and all. */
export const roomOf = ({ width }: Fitting, at: number): number => width + PADDING + (at === 0 ? INDENT : 0);

export const widthOfAll = (columns: readonly Fitting[]): number =>
  columns.reduce((sum, column, at) => sum + roomOf(column, at), 0);

/** The columns at their least widths, and what is left of `room` shared out. */
function narrowed<C extends Fitting>(columns: readonly C[], room: number): readonly C[] {
  const least = columns.map((column) => ({ ...column, width: column.onPhone ?? column.width }));
  const factor = Math.max(1, room / widthOfAll(least));
  return least.map((column) => ({ ...column, width: column.width * factor }));
}

/** Leaves out columns that a phone does without, the last first, until the others fit into `room`; then these are narrowed. */
export function fittingColumns<C extends Fitting>(columns: readonly C[], room: number): readonly C[] {
  if (widthOfAll(columns) <= room || columns.every(({ onPhone }) => onPhone === undefined)) return columns;
  const last = columns.findLastIndex(({ onPhone }) => onPhone === undefined);
  return last < 0 ? narrowed(columns, room) : fittingColumns(columns.toSpliced(last, 1), room);
}

/** The columns that fit into the element that the table scrolls in. */
export function useFittingColumns<C extends Fitting>(
  columns: readonly C[],
  scroller: RefObject<HTMLElement | null>,
): readonly C[] {
  const room = useRoom(scroller);
  return useMemo(() => fittingColumns(columns, room), [columns, room]);
}
