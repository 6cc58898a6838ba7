import { Activity, Eraser, Pause, Play, SquareTerminal } from 'lucide-preact';
import { useMemo, useState } from 'preact/compat';
import { Button, Empty, Filter, IconButton, Segmented, Tooltip } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import type { Sender } from '../../../trace/index.ts';
import { clearLog, pauseLog, useRequests, type LoggedRequest } from '../../stores/requests.ts';
import { readableUrl } from './readableUrl.ts';
import { RequestTable } from './RequestTable.tsx';
import styles from './requests.module.css';

type Whose = 'person' | 'components' | 'all';

const shown: Readonly<Record<Whose, readonly Sender[]>> = {
  person: ['person'],
  components: ['component'],
  all: ['person', 'component', 'page'],
};

function matches(request: LoggedRequest, filter: string): boolean {
  if (filter === '') return true;
  const text =
    `${request.verb} ${request.method} ${request.status ?? 'open'} ${request.user} ${readableUrl(request.url)}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => text.includes(word));
}

/** What is written together. */
const UNLISTED = [
  ['renewals', 'renewals of leases'],
  ['reports', 'reports of nodes'],
  ['events', 'new events'],
  ['pods', 'new pods'],
  ['bindings', 'bindings of pods'],
  ['statuses', 'statuses of pods'],
] as const;

/** Every request that the cluster saw; by whom, how it went. */
export default function RequestLog() {
  const { requests, dropped, together, paused } = useRequests();
  const [whose, setWhose] = useState<Whose>('person');
  const [filter, setFilter] = useState('');
  const line = useAddress((address) => address.query['line'] ?? '');
  const rows = useMemo(
    () =>
      requests.filter(
        (request) =>
          (line === '' ? shown[whose].includes(request.sender) : request.line === line) && matches(request, filter),
      ),
    [requests, whose, filter, line],
  );
  const unlisted = UNLISTED.filter(([what]) => together[what] > 0);
  const unlistedCount = unlisted.reduce((sum, [what]) => sum + together[what], 0);
  const unlistedSorts = unlisted.map(([what, name]) => `${together[what]} ${name}`).join(', ');
  return (
    <section className={styles.log} aria-label="Requests">
      <div className={styles.bar}>
        {line === '' ? (
          <Segmented
            label="Whose requests"
            value={whose}
            choices={[
              { value: 'person', label: 'Yours' },
              { value: 'components', label: 'Components' },
              { value: 'all', label: 'All' },
            ]}
            onValue={setWhose}
          />
        ) : (
          <Button icon={SquareTerminal} onClick={() => go({ query: { line: undefined } })}>
            Of one command; show all
          </Button>
        )}
        <Filter label="Filter requests" value={filter} onText={setFilter} />
        <span className={styles.count}>
          {rows.length}
          {dropped > 0 && `, ${dropped} older ones dropped`}
          {unlistedCount > 0 && whose !== 'person' && line === '' && (
            <Tooltip
              text={`Not listed, because many are written together: ${unlistedSorts}. Each has its own revision and its own watch event.`}
            >
              <span tabIndex={0}>, {unlistedCount} more written together</span>
            </Tooltip>
          )}
        </span>
        <IconButton
          icon={paused ? Play : Pause}
          label={paused ? 'Go on recording' : 'Stop recording'}
          pressed={paused}
          onClick={() => pauseLog(!paused)}
        />
        <IconButton icon={Eraser} label="Empty the log" onClick={clearLog} />
      </div>
      {rows.length === 0 ? (
        <Empty icon={Activity} title="No requests yet">
          Each request appears here with its verb, user and answer; open one to see its way through the server.
        </Empty>
      ) : (
        <RequestTable requests={rows} />
      )}
    </section>
  );
}
