import { useMemo } from 'preact/compat';
import { DataTable, StateMark, type Column } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import { useHeld } from '../../stores/breakpoints.ts';
import { timeOfDay } from '../../stores/clock.ts';
import { asTexts, at } from '../../stores/jsonValues.ts';
import type { LoggedRequest } from '../../stores/requests.ts';
import { stateOfAnswer } from '../../theme/states.ts';
import { UserLink } from '../object/UserLink.tsx';
import { collapsed, type RequestRow } from './repeats.ts';
import { UrlCell } from './UrlCell.tsx';
import styles from './requests.module.css';

/** The groups of whoever sent a request, as far as its authorization told them. */
function groupsOf({ stages }: LoggedRequest): readonly string[] {
  const decision = stages.find((stage) => stage.stage === 'authorization');
  return asTexts(at(decision?.attributes, 'user', 'groups'));
}

const keyOf = ({ request }: RequestRow): string => `request:${request.id}`;

function Status({ request: { id, method, status } }: { readonly request: LoggedRequest }) {
  const held = useHeld(id);
  if (held) return <StateMark state="pending" text="held" />;
  if (status === undefined) return <span className={styles.faint}>open</span>;
  const state = stateOfAnswer(method, status);
  return state ? <StateMark state={state} text={String(status)} /> : status;
}

const columns: readonly Column<RequestRow>[] = [
  {
    key: 'time',
    title: 'Time',
    width: 8,
    cell: ({ request }) => <span className={styles.faint}>{timeOfDay(request.at)}</span>,
  },
  {
    key: 'verb',
    title: 'Verb',
    width: 11,
    onPhone: 6,
    order: ({ request }) => request.verb,
    cell: ({ request }) => request.verb,
  },
  {
    key: 'status',
    title: 'Status',
    width: 7,
    onPhone: 6,
    order: ({ request }) => request.status ?? 0,
    cell: ({ request }) => <Status request={request} />,
  },
  {
    key: 'user',
    title: 'User',
    width: 30,
    order: ({ request }) => request.user,
    cell: ({ request }) => <UserLink name={request.user} groups={groupsOf(request)} />,
  },
  {
    key: 'ms',
    title: 'ms',
    width: 4,
    align: 'end',
    order: ({ request }) => request.ms ?? 0,
    cell: ({ request }) => request.ms?.toFixed(0),
  },
  {
    key: 'revision',
    title: 'Revision',
    width: 8,
    align: 'end',
    order: ({ request }) => request.revision ?? 0,
    cell: ({ request }) => request.revision,
  },
  {
    key: 'path',
    title: 'Path',
    width: 48,
    onPhone: 24,
    order: ({ request }) => request.url,
    cell: (row) => <UrlCell {...row} />,
  },
];

/** Requests, latest first, repeats as one row; a row opens its way through the server. */
export function RequestTable({ requests }: { readonly requests: readonly LoggedRequest[] }) {
  const selection = useAddress((address) => address.query['sel']);
  const rows = useMemo(() => collapsed(requests), [requests]);
  return (
    <DataTable
      label="Requests"
      columns={columns}
      rows={rows}
      rowKey={keyOf}
      selected={selection}
      onOpen={(row) => go({ query: { sel: keyOf(row), tab: undefined } })}
    />
  );
}
