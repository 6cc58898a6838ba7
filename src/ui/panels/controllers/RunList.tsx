import { useMemo } from 'preact/compat';
import { cx, StateMark } from '../../parts/index.ts';
import { useRequests, type LoggedRequest } from '../../stores/requests.ts';
import type { State } from '../../theme/states.ts';
import { writesOf, type Reconcile } from './activity.ts';
import styles from './ControllersPanel.module.css';

const WORDS: Readonly<Record<Reconcile['outcome'], { readonly state: State; readonly text: string }>> = {
  done: { state: 'ready', text: 'done' },
  failed: { state: 'failed', text: 'failed' },
  requeued: { state: 'pending', text: 'retried: somebody else wrote first' },
  waiting: { state: 'pending', text: 'waiting' },
};

/** So many of the last writes are looked at. */
const MOST_WRITES = 500;

/** Runs of loops: over which key, why, by what plan, how it ended. */
export function RunList({ runs }: { readonly runs: readonly Reconcile[] }) {
  const requests = useRequests((log) => log.requests);
  // Components' requests alone have causes; the last of them are enough for the runs that are shown.
  const writes = useMemo(
    () => requests.filter(({ revision }) => revision !== undefined).slice(-MOST_WRITES),
    [requests],
  );
  if (runs.length === 0)
    return <p className={styles.about}>Nothing has been reconciled since you opened this panel. Change something.</p>;
  return (
    <ul className={styles.rows}>
      {runs.map((run) => (
        <Run key={run.id} run={run} writes={writesOf(run, writes)} />
      ))}
    </ul>
  );
}

interface RunProps {
  readonly run: Reconcile;
  readonly writes: readonly LoggedRequest[];
}

function Run({ run: { loop, key, woken, plan, outcome, note, read }, writes }: RunProps) {
  const caches = Object.entries(read);
  return (
    <li className={styles.run}>
      <p className={styles.runHead}>
        <StateMark {...WORDS[outcome]} />
        <strong>{loop}</strong> <span className={styles.key}>{key}</span>
      </p>
      {woken.length > 0 && <p>Woken: {woken.slice(-3).join('; ')}</p>}
      {caches.length > 0 && (
        <p className={styles.faint}>
          Read {caches.map(([path, revision]) => `${nameOfCache(path)} at ${revision || 'none'}`).join(', ')}
        </p>
      )}
      {plan.length > 0 && (
        <details>
          <summary>{plan.length === 1 ? '1 step planned' : `${plan.length} steps planned`}</summary>
          <ul className={styles.plan}>
            {plan.slice(0, 20).map((step, i) => (
              <li key={i}>
                <code>{JSON.stringify(step).slice(0, 400)}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      {writes.map(({ id, verb, url, revision }) => (
        <p key={id}>
          Wrote: {verb} <span className={styles.key}>{pathOfUrl(url)}</span> → revision {revision}
        </p>
      ))}
      {note && <p className={cx(outcome === 'failed' ? styles.wrong : styles.faint)}>{noteText(note)}</p>}
    </li>
  );
}

/** A path without its group and version: `pods`, or `pods?app=web` for a part of them. */
const nameOfCache = (path: string): string =>
  path.slice(path.lastIndexOf('/', path.includes('?') ? path.indexOf('?') : path.length) + 1);

/** The path of a request, without what it asks for. */
export const pathOfUrl = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '').replace(/\?.*$/, '');

/** A note that says when to look again, in seconds. */
const noteText = (note: string): string =>
  note.replace(/^again in (\d+) ms$/, (_, ms: string) => `looks again in ${Math.ceil(Number(ms) / 1000)} s`);
