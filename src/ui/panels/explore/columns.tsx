/** Columns of the page's tables, from those of the server's. */
import { ANNOTATION_PREFIX } from '../../../faults/index.ts';
import { later, StateMark, type Column } from '../../parts/index.ts';
import { age, useNow } from '../../stores/clock.ts';
import type { LiveTable, TableColumn, TableRow } from '../../stores/liveTable.ts';
import type { Resource } from '../../stores/resources.ts';
import { stateOfPhase } from '../../theme/states.ts';
import { KindLink, ObjectLink } from '../object/ObjectLink.tsx';
import { COLUMN_PADDING, fitting, forPhone, forUpright, type Fitted } from './fitting.ts';

/** Few objects are broken on purpose. */
const FaultBadges = later(() => import('../object/actions/Badges.tsx'), null);

/** What somebody may have set about an object to make it fail; whether a node has an agent is nothing of the kind. */
const isBroken = ({ metadata }: TableRow): boolean =>
  Object.keys(metadata.annotations ?? {}).some(
    (key) => key.startsWith(ANNOTATION_PREFIX) && key !== `${ANNOTATION_PREFIX}agent`,
  );

/** States come and go, and their column stays as it is. */
const LONGEST_STATE = 'ContainerCreating'.length;

/** Characters of the sign that something is broken on purpose. */
const BADGE_ROOM = 4;

const WIDEST = 44;
const NARROWEST = 4;
const SAMPLED = 400;
/** What the server writes where there is nothing to tell. */
const NONE = '<none>';
/** An icon and its gap. */
const STATE_ROOM = 3;

const textOf = (cell: unknown): string =>
  cell === null || cell === undefined ? '' : typeof cell === 'object' ? JSON.stringify(cell) : String(cell);

/** An age that goes on: the server's cell was right when the row was sent. */
function Age({ since }: { readonly since: string | null | undefined }) {
  return age(since, useNow());
}

const isAge = (column: TableColumn): boolean => column.name === 'Age';
const isState = (column: TableColumn): boolean => ['Status', 'Phase', 'Condition', 'Type'].includes(column.name);

const lengths = new WeakMap<TableRow, readonly number[]>();

/** How many characters each cell of a row has. Counted once, because columns are measured with each change. */
function lengthsOf(row: TableRow): readonly number[] {
  const known = lengths.get(row);
  if (known) return known;
  const counted = row.cells.map((cell) => textOf(cell).length);
  lengths.set(row, counted);
  return counted;
}

function widthOf(column: TableColumn, longestCell: number, rows: readonly TableRow[]): number {
  if (isAge(column)) return 6;
  const longest = Math.max(longestCell, column.name.length);
  const badge = column.name === 'Status' ? BADGE_ROOM : 0;
  const least = column.name === 'Status' && rows.length > 0 ? LONGEST_STATE : longest;
  return Math.max(NARROWEST, Math.min(WIDEST, Math.max(least, longest) + (isState(column) ? STATE_ROOM : 0) + badge));
}

function orderOf(column: TableColumn, at: number): (row: TableRow) => string | number {
  if (isAge(column)) return (row) => -Date.parse(row.metadata.creationTimestamp ?? '');
  return (row) => {
    const cell = row.cells[at];
    return typeof cell === 'number' ? cell : textOf(cell);
  };
}

/** A cell: states by colour and icon, ages that tick, the rest as the server wrote it. */
function Cell({ column, at, row }: { readonly column: TableColumn; readonly at: number; readonly row: TableRow }) {
  const text = textOf(row.cells[at]);
  if (isAge(column)) return <Age since={row.metadata.creationTimestamp} />;
  const state = isState(column) ? stateOfPhase(text) : undefined;
  return state ? (
    <StateMark state={state} text={text} />
  ) : (
    <span title={text.length > WIDEST ? text : undefined}>{text}</span>
  );
}

interface Wanted {
  readonly resource: Resource;
  readonly table: LiveTable;
  /** All columns; otherwise as many as there is room for. */
  readonly wide: boolean;
  /** A column of namespaces in front: the table spans them all. */
  readonly namespaces: boolean;
  /** Characters that fit beside each other. */
  readonly room: number;
  readonly narrow: boolean;
}

interface Own extends Fitted {
  readonly column: TableColumn;
  readonly at: number;
}

/** In characters: a phone held upright has less room, one held sideways has more. */
const PHONE_ROOM = 64;

/** The server's columns that are shown, in their order, with their widths. */
function shownOf({ table, wide, namespaces, room, narrow }: Wanted): readonly Own[] {
  const sample = table.rows.slice(0, SAMPLED).map(lengthsOf);
  const all = table.columns.map((column, at): Own => {
    const longest = sample.reduce((most, row) => Math.max(most, row[at] ?? 0), 0);
    return {
      ...{ column, at, name: column.name, priority: column.priority },
      width: widthOf(column, longest, table.rows),
      empty:
        longest <= NONE.length &&
        table.rows.slice(0, SAMPLED).every((row) => ['', NONE].includes(textOf(row.cells[at]))),
    };
  });
  const left = room - (namespaces ? namespaceWidth(table) + COLUMN_PADDING : 0);
  const shown = wide ? all : fitting(all, left);
  if (!narrow) return shown;
  return room < PHONE_ROOM ? forUpright(forPhone(shown), room) : forPhone(shown);
}

/** What of a table decides its columns: as long as it is the same, they are. */
export const columnsKey = (wanted: Wanted): string =>
  JSON.stringify([shownOf(wanted).map(({ name, width }) => [name, width]), namespaceWidth(wanted.table)]);

/** The columns in the field's order: namespace where it tells something, then the server's own. */
export function columnsOf(wanted: Wanted): readonly Column<TableRow>[] {
  const { resource, table, namespaces, narrow } = wanted;
  const own = shownOf(wanted).map(({ column, at, width }): Column<TableRow> => ({
    key: column.name,
    title: column.name,
    about: column.description || undefined,
    width,
    order: orderOf(column, at),
    cell: (row) =>
      column.name === 'Name' ? (
        <ObjectLink
          short
          resource={resource}
          namespace={row.metadata.namespace ?? ''}
          name={row.metadata.name ?? textOf(row.cells[at])}
        />
      ) : (
        <>
          <Cell column={column} at={at} row={row} />
          {column.name === 'Status' && isBroken(row) && (
            <FaultBadges kind={resource.kind} annotations={row.metadata.annotations} />
          )}
        </>
      ),
  }));
  if (!namespaces) return own;
  return narrow ? [...own, namespaceColumn(table)] : [namespaceColumn(table), ...own];
}

const namespaceWidth = (table: LiveTable): number =>
  Math.min(
    WIDEST,
    table.rows
      .slice(0, SAMPLED)
      .reduce((most, row) => Math.max(most, row.metadata.namespace?.length ?? 0), 'Namespace'.length),
  );

function namespaceColumn(table: LiveTable): Column<TableRow> {
  return {
    key: 'namespace',
    title: 'Namespace',
    width: namespaceWidth(table),
    order: (row) => row.metadata.namespace ?? '',
    cell: (row) => <KindLink apiVersion="v1" kind="Namespace" name={row.metadata.namespace ?? ''} />,
  };
}

const texts = new WeakMap<TableRow, string>();

/** All that a row says. Rows are replaced, never changed, so that it is put together once for each. */
function wholeText(row: TableRow): string {
  const known = texts.get(row);
  if (known !== undefined) return known;
  const text = `${row.metadata.namespace ?? ''} ${row.cells.map(textOf).join(' ')}`.toLowerCase();
  texts.set(row, text);
  return text;
}

/** Whether a row holds every word of a filter, in any cell. */
export function rowMatches(row: TableRow, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const all = wholeText(row);
  return words.every((word) => (word.startsWith('!') ? !all.includes(word.slice(1)) : all.includes(word)));
}
