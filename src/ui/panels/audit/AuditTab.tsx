import { Download, RefreshCw, ScrollText } from 'lucide-preact';
import { useEffect, useMemo, useState } from 'preact/compat';
import {
  Button,
  DataTable,
  Empty,
  ErrorNote,
  Filter,
  IconButton,
  Select,
  StateMark,
  type Column,
} from '../../parts/index.ts';
import { messageOf } from '../../stores/actions.ts';
import { go, useAddress } from '../../stores/address.ts';
import { useAudit, type AuditEntry } from '../../stores/audit.ts';
import { readAuditLogs } from './logFiles.ts';
import { useObserver } from '../../stores/clients.ts';
import { timeOfDay } from '../../stores/clock.ts';
import { switchCluster, useCluster } from '../../stores/session.ts';
import { stateOfStatus } from '../../theme/states.ts';
import { exampleFlags, isAudited, withAuditing } from './example.ts';
import { exportEntries } from './exporting.ts';
import { matching, type AuditFilter } from './filter.ts';
import log from '../requests/requests.module.css';
import { startsElsewhere } from '../settings/startsElsewhere.ts';
import styles from './audit.module.css';

/** Who did what, as the audit policy wants it recorded: events as they come, and those in the log. */
export default function AuditTab() {
  const { cluster } = useCluster();
  const recorded = useAudit((audit) => audit.entries.length > 0);
  return isAudited(cluster.options) || recorded ? <AuditEvents /> : <NotAudited />;
}

function NotAudited() {
  const { cluster, names } = useCluster();
  const inMemory = cluster.options.storage === 'memory';
  const action = (
    <Button
      look="primary"
      unavailable={startsElsewhere(cluster)}
      onClick={() => void switchCluster(withAuditing(cluster.options, names))}
    >
      Restart with auditing
    </Button>
  );
  return (
    <Empty icon={ScrollText} title="Nothing is recorded" action={action}>
      <p>Each request that the audit policy records appears here: who, what, from where, and with which result.</p>
      <p>
        A restart adds an example policy to the files, and these flags to the API server:
        {exampleFlags.map((flag) => (
          <code key={flag} className={styles.flag}>
            {flag}
          </code>
        ))}
        They can be changed in Settings.{' '}
        {inMemory
          ? 'This cluster is kept in memory only: a restart begins with an empty one.'
          : 'What is stored stays.'}
      </p>
    </Empty>
  );
}

/** Reads the log files when the tab opens, and again when asked. */
function useLogs() {
  const client = useObserver();
  const [problem, setProblem] = useState<string>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let gone = false;
    readAuditLogs(client).then(
      () => !gone && setProblem(undefined),
      (error: unknown) => !gone && setProblem(messageOf(error)),
    );
    return () => {
      gone = true;
    };
  }, [client, turn]);
  return { problem, again: () => setTurn((now) => now + 1) };
}

const everything: AuditFilter = { text: '', level: '', stage: '' };
const levels = ['', 'Metadata', 'Request', 'RequestResponse'] as const;
const stages = ['', 'RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
const optionsOf = <V extends string>(values: readonly V[], any: string): readonly { value: V; label: string }[] =>
  values.map((value) => ({ value, label: value || any }));

function AuditEvents() {
  const { cluster } = useCluster();
  const { entries, unread } = useAudit();
  const { problem, again } = useLogs();
  const [filter, setFilter] = useState<AuditFilter>(everything);
  const shown = useMemo(() => matching(entries, filter).toReversed(), [entries, filter]);
  const set = (part: Partial<AuditFilter>): void => setFilter({ ...filter, ...part });
  return (
    <section className={log.log} aria-label="Audit events">
      <div className={log.bar}>
        <div className={styles.filter}>
          <Filter label="Filter by user, verb, resource, code" value={filter.text} onText={(text) => set({ text })} />
        </div>
        <Select
          aria-label="Level"
          value={filter.level}
          options={optionsOf(levels, 'any level')}
          onValue={(level) => set({ level })}
        />
        <Select
          aria-label="Stage"
          value={filter.stage}
          options={optionsOf(stages, 'any stage')}
          onValue={(stage) => set({ stage })}
        />
        <span className={log.count}>
          {shown.length}
          {unread > 0 && `, ${unread} lines of the log are not JSON`}
        </span>
        <IconButton icon={RefreshCw} label="Read the log again" onClick={again} />
        <Button
          icon={Download}
          unavailable={shown.length === 0 && 'There is nothing to export.'}
          onClick={() => exportEntries(cluster.name, shown)}
        >
          Export
        </Button>
      </div>
      {problem && (
        <ErrorNote title="The log could not be read.">
          {problem}. Events that come from now on appear here all the same.
        </ErrorNote>
      )}
      <AuditTable entries={shown} any={entries.length > 0} />
    </section>
  );
}

function Code({ code }: { readonly code: number | undefined }) {
  const state = code === undefined ? undefined : stateOfStatus(code);
  return state ? <StateMark state={state} text={String(code)} /> : code;
}

const columns: readonly Column<AuditEntry>[] = [
  {
    key: 'time',
    title: 'Time',
    width: 8,
    cell: (entry) => <span className={log.faint}>{timeOfDay(entry.at)}</span>,
  },
  { key: 'verb', title: 'Verb', width: 11, onPhone: 6, cell: (entry) => entry.verb },
  { key: 'code', title: 'Code', width: 6, onPhone: 5, cell: (entry) => <Code code={entry.code} /> },
  { key: 'user', title: 'User', width: 30, cell: (entry) => <span title={entry.user}>{entry.user}</span> },
  { key: 'level', title: 'Level', width: 15, cell: (entry) => entry.level },
  { key: 'stage', title: 'Stage', width: 17, cell: (entry) => entry.stage },
  {
    key: 'target',
    title: 'What',
    width: 40,
    onPhone: 24,
    cell: (entry) => <span title={entry.target}>{entry.target}</span>,
  },
];

const selectionOf = ({ key }: AuditEntry): string => `audit:${key}`;

function AuditTable({ entries, any }: { readonly entries: readonly AuditEntry[]; readonly any: boolean }) {
  const selection = useAddress((address) => address.query['sel']);
  if (entries.length === 0) {
    return (
      <Empty icon={ScrollText} title={any ? 'No event matches' : 'No events yet'}>
        {any
          ? 'Others are there: widen the filter.'
          : 'The next request that the policy records appears here. The log is kept for as long as the cluster is open.'}
      </Empty>
    );
  }
  return (
    <DataTable
      label="Audit events"
      columns={columns}
      rows={entries}
      rowKey={selectionOf}
      selected={selection}
      onOpen={(entry) => go({ query: { sel: selectionOf(entry), tab: undefined } })}
    />
  );
}
