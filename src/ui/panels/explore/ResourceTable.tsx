import { Boxes, Columns3, Plus, SearchX } from 'lucide-preact';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'preact/compat';
import {
  Button,
  DataTable,
  Empty,
  Filter,
  IconButton,
  later,
  ROW,
  TextInput,
  Toolbar,
  Tooltip,
  useHotkey,
  type Sorting,
} from '../../parts/index.ts';
import type { Status } from '../../../schema/index.ts';
import { useNarrow } from '../../parts/narrow.ts';
import { useRoom } from '../../parts/room.ts';
import { Waiting } from '../../parts/Waiting.tsx';
import { go, useAddress } from '../../stores/address.ts';
import { useEntering } from '../../stores/entering.ts';
import { isDenied, useLiveTable, type LiveTable, type TableRow } from '../../stores/liveTable.ts';
import { useRefusal } from '../../stores/permissions.ts';
import { formatRef, pathTo, type ObjectRef, type Resource } from '../../stores/resources.ts';
import { openEditor } from '../../editor/drafts.ts';
import { CommandsButton } from '../commands/CommandsButton.tsx';
import { getCommand } from '../commands/readings.ts';
import { BehindNote } from '../controllers/BehindNote.tsx';
import { columnsKey, columnsOf, rowMatches } from './columns.tsx';
import styles from './ResourceTable.module.css';

const DeleteDialog = later(() => import('../object/DeleteDialog.tsx'), null);
const Refused = later(() => import('../requests/Refused.tsx'));
/** On a phone. */
const ResourcePicker = later(() => import('./ResourcePicker.tsx'), null);

const refOf = (resource: Resource, row: TableRow): ObjectRef => ({
  resource,
  namespace: row.metadata.namespace ?? '',
  name: row.metadata.name ?? '',
});

/** The row that the address selects. Rows are compared by name: thousands of them, several times a second. */
function selectedIn(rows: readonly TableRow[], resource: Resource, selection = ''): TableRow | undefined {
  const start = `object:${resource.group || 'core'}/${resource.resource}/`;
  if (!selection.startsWith(start)) return undefined;
  const [namespace = '', name] = selection.slice(start.length).split('/');
  return rows.find(
    ({ metadata }) => metadata.name === name && (metadata.namespace ?? '') === (namespace === '-' ? '' : namespace),
  );
}

/** The server's table of one resource type, live; a row opens its object in the inspector. */
export function ResourceTable({ resource }: { readonly resource: Resource }) {
  const namespace = useAddress((address) => (resource.namespaced ? (address.query['ns'] ?? '') : ''));
  const labelSelector = useAddress((address) => address.query['labels'] ?? '');
  const selection = useAddress((address) => address.query['sel']);
  const table = useLiveTable({ path: pathTo(resource, namespace), labelSelector });
  const [filter, setFilter] = useState('');
  const [wide, setWide] = useState(false);
  const [sorting, setSorting] = useState<Sorting>();
  const panel = useRef<HTMLElement>(null);
  const narrow = useNarrow();
  const wanted = {
    resource,
    table,
    wide,
    narrow,
    namespaces: resource.namespaced && namespace === '',
    room: useRoom(panel),
  };
  const columns = useMemo(
    () => columnsOf(wanted),
    // Cells read their row: only what the columns themselves are made of counts.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [resource, columnsKey(wanted)],
  );
  const rows = useMemo(
    () => (filter === '' ? table.rows : table.rows.filter((row) => rowMatches(row, filter))),
    [table.rows, filter],
  );
  useEntered(panel, table);
  const keyOf = (row: TableRow): string => `object:${formatRef(refOf(resource, row))}`;
  const selected = useMemo(() => selectedIn(rows, resource, selection), [rows, resource, selection]);
  const problem = table.phase === 'refused' ? table.problem : undefined;
  return (
    <section ref={panel} className={styles.panel} aria-label={resource.resource}>
      <Head
        resource={resource}
        table={table}
        shown={rows.length}
        filter={filter}
        setFilter={setFilter}
        wide={wide}
        setWide={setWide}
      />
      <SelectionKeys target={selected && refOf(resource, selected)} />
      {problem && <Problem problem={problem} resource={resource} namespace={namespace} unwatched={table.unwatched} />}
      {(!problem || table.unwatched || rows.length > 0) && (
        <DataTable
          label={resource.resource}
          columns={columns}
          rows={rows}
          rowKey={keyOf}
          selected={selection}
          sorting={sorting}
          onSort={setSorting}
          flash={(row) => table.changes.get(row.key)}
          onOpen={(row) => go({ query: { sel: keyOf(row) } })}
          empty={
            <Nothing
              resource={resource}
              namespace={namespace}
              loading={table.phase === 'loading'}
              filtered={table.rows.length > 0}
            />
          }
        />
      )}
    </section>
  );
}

interface ProblemProps {
  readonly problem: Status;
  readonly resource: Resource;
  readonly namespace: string;
  readonly unwatched: boolean;
}

/** Why rows are missing; in a line, where they are there and only not followed. */
function Problem({ problem, resource, namespace, unwatched }: ProblemProps) {
  const plural = resource.resource;
  const title = isDenied(problem) ? `You may not list ${plural}.` : `The server does not list ${plural}.`;
  const path = pathTo(resource, namespace);
  if (!unwatched) return <Refused title={title} problem={problem} path={path} />;
  return (
    <details className={styles.unwatched}>
      <summary>You may list {plural}, but not watch them: they are read again every few seconds.</summary>
      <Refused title={`The server does not let you watch ${plural}.`} problem={problem} path={path} />
    </details>
  );
}

/** After a command that leads to a list, the focus is on its first row. */
function useEntered(panel: RefObject<HTMLElement | null>, { phase, rows }: LiveTable): void {
  const entering = useEntering((state) => state.entering);
  useEffect(() => {
    if (!entering || phase !== 'live' || panel.current?.contains(document.activeElement)) return;
    panel.current?.querySelector<HTMLElement>(ROW)?.focus();
  }, [entering, panel, phase, rows]);
}

const showResource = ({ group, resource }: Resource): void =>
  go({ path: [group || 'core', resource], query: { sel: undefined, tab: undefined } });

interface HeadProps {
  readonly resource: Resource;
  readonly table: LiveTable;
  readonly shown: number;
  readonly filter: string;
  readonly setFilter: (text: string) => void;
  readonly wide: boolean;
  readonly setWide: (wide: boolean) => void;
}

function Head({ resource, table, shown, filter, setFilter, wide, setWide }: HeadProps) {
  const narrow = useNarrow();
  const namespace = useAddress((address) => (resource.namespaced ? (address.query['ns'] ?? '') : ''));
  const labelSelector = useAddress((address) => address.query['labels'] ?? '');
  const commands = (): string[] => [getCommand({ resource, namespace, labelSelector }, wide ? ['-o', 'wide'] : [])];
  const count = shown === table.rows.length ? String(shown) : `${shown} of ${table.rows.length}`;
  const hidden = table.columns.some((column) => column.priority > 0);
  return (
    <Toolbar
      title={narrow ? <ResourcePicker current={resource} onChoose={showResource} /> : resource.kind}
      note={
        table.phase === 'live' && (
          <>
            <RowCount count={count} table={table} />
            <BehindNote />
          </>
        )
      }
    >
      <Filter label="Filter rows" value={filter} onText={setFilter} />
      <LabelFilter />
      {hidden && <IconButton icon={Columns3} label="All columns" pressed={wide} onClick={() => setWide(!wide)} />}
      <CommandsButton of={{ label: `List ${resource.resource}`, commands }} />
      <CreateButton resource={resource} label="Create" />
    </Toolbar>
  );
}

function CreateButton({ resource, label }: { readonly resource: Resource; readonly label: string }) {
  const namespace = useAddress((address) => (resource.namespaced ? (address.query['ns'] ?? '') : ''));
  // Where all namespaces are shown, which one an object is created in is chosen in the editor.
  const open = resource.namespaced && namespace === '';
  const refusal = useRefusal('create', open ? undefined : { resource, namespace, name: '' });
  return (
    <Button icon={Plus} unavailable={refusal} onClick={() => openEditor({ kind: 'new', resource })}>
      {label}
    </Button>
  );
}

function RowCount({ count, table }: { readonly count: string; readonly table: LiveTable }) {
  const relists =
    table.relists === 0
      ? ''
      : `, listed again ${table.relists === 1 ? 'once' : `${table.relists} times`} because its revision was gone`;
  return (
    <Tooltip text={`Live up to revision ${table.revision}${relists}`}>
      <span tabIndex={0}>
        {count} · <span className={styles.revision}>@{table.revision}</span>
      </span>
    </Tooltip>
  );
}

/** A label selector, applied by the server: the table then lists and watches with it. */
function LabelFilter() {
  const current = useAddress((address) => address.query['labels'] ?? '');
  const [text, setText] = useState(current);
  const apply = (): void => go({ query: { labels: text.trim() } });
  return (
    <TextInput
      aria-label="Label selector"
      placeholder="Labels, e.g. app=web"
      className={styles.labels}
      value={text}
      onText={setText}
      onBlur={apply}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
    />
  );
}

/** Keys that work on the selected row, as people know them from terminals. */
function SelectionKeys({ target }: { readonly target: ObjectRef | undefined }) {
  const [deleting, setDeleting] = useState<ObjectRef>();
  useHotkey('d', () => target && go({ query: { tab: 'summary' } }), 'Describe the selected object');
  useHotkey('y', () => target && go({ query: { tab: 'yaml' } }), 'Show its YAML');
  useHotkey('l', () => target && go({ query: { tab: 'logs' } }), 'Follow its log');
  useHotkey('e', () => target && openEditor({ kind: 'edit', target }), 'Edit it');
  useHotkey('ctrl+d', () => target && setDeleting(target), 'Delete it');
  return deleting ? <DeleteDialog target={deleting} onClose={() => setDeleting(undefined)} /> : null;
}

interface NothingProps {
  readonly resource: Resource;
  readonly namespace: string;
  readonly loading: boolean;
  readonly filtered: boolean;
}

function Nothing({ resource, namespace, loading, filtered }: NothingProps) {
  if (loading) return <Waiting what={`Listing ${resource.resource}`} />;
  if (filtered) return <Empty icon={SearchX} title="No row matches the filter." />;
  const where = namespace === '' ? '' : ` in ${namespace}`;
  return (
    <Empty
      icon={Boxes}
      title={`No ${resource.resource}${where}`}
      action={<CreateButton resource={resource} label="Create one" />}
    >
      They appear here as soon as anyone creates one.
    </Empty>
  );
}
