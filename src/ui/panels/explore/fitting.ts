/** Which columns of a table are shown, and in which order, by the room that there is. All widths are in characters. */

/** Of each column, padding and all. */
export const COLUMN_PADDING = 2.5;

export interface Fitted {
  readonly name: string;
  /** Above 0: shown where there is room. */
  readonly priority: number;
  readonly width: number;
  /** No row says anything in it. */
  readonly empty: boolean;
}

const roomOf = ({ width }: Fitted): number => width + COLUMN_PADDING;
const sum = (columns: readonly Fitted[]): number => columns.reduce((total, each) => total + roomOf(each), 0);

/** Those that always stand, and of the others as many as fit into `room`, those that say something. */
export function fitting<C extends Fitted>(columns: readonly C[], room: number): readonly C[] {
  let left = room - sum(columns.filter(({ priority }) => priority === 0));
  return columns.filter((column) => {
    if (column.priority === 0) return true;
    if (column.empty || roomOf(column) > left) return false;
    left -= roomOf(column);
    return true;
  });
}

const FIRST = ['Name', 'Status', 'Phase', 'Ready', 'Object', 'Reason', 'Message'];
const place = ({ name }: Fitted): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);

/** On a phone a name and its state come first: the rest is a swipe away. */
export const forPhone = <C extends Fitted>(columns: readonly C[]): readonly C[] =>
  [...columns].sort((a, b) => place(a) - place(b));

/** How many columns share the width of a phone that is held upright. */
const TOGETHER = 3;
/** A state and its icon: longer ones lose their end, and keep their colour. */
const STATE = 14;
const LEAST_NAME = 20;
/** The first column stands a little further from the edge. */
const INDENT = 2;

/** For a phone that is held upright: the first columns share its width, and the name takes what the others leave. */
export function forUpright<C extends Fitted>(columns: readonly C[], room: number): readonly C[] {
  const [name, ...others] = columns.map((column) =>
    column.name === 'Status' ? { ...column, width: Math.min(STATE, column.width) } : column,
  );
  if (!name) return columns;
  const left = Math.floor(room - INDENT - COLUMN_PADDING - sum(others.slice(0, TOGETHER - 1)));
  return [{ ...name, width: Math.min(name.width, Math.max(LEAST_NAME, left)) }, ...others];
}
