import { cx, StateMark } from '../../parts/index.ts';
import type { State } from '../../theme/states.ts';
import type { Reconcile } from './activity.ts';
import styles from './ControllersPanel.module.css';

const WORDS: Readonly<Record<Reconcile['outcome'], { readonly state: State; readonly text: string }>> = {
  done: { state: 'ready', text: 'done' },
  failed: { state: 'failed', text: 'failed' },
  requeued: { state: 'pending', text: 'again: somebody wrote first' },
  waiting: { state: 'pending', text: 'waiting' },
};

/** Runs of loops: over which key, why, by what plan, how it ended. */
export function RunList({ runs }: { readonly runs: readonly Reconcile[] }) {
  if (runs.length === 0)
    return <p className={styles.about}>Nothing was reconciled since you opened this panel. Change something.</p>;
  return (
    <ul className={styles.rows}>
      {runs.map(({ id, loop, key, woken, plan, outcome, note }) => (
        <li key={id} className={styles.run}>
          <p className={styles.runHead}>
            <StateMark {...WORDS[outcome]} />
            <strong>{loop}</strong> <span className={styles.key}>{key}</span>
          </p>
          {woken.length > 0 && <p>Woken: {woken.slice(-3).join('; ')}</p>}
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
          {note && <p className={cx(outcome === 'failed' ? styles.wrong : styles.faint)}>{noteText(note)}</p>}
        </li>
      ))}
    </ul>
  );
}

/** A note that says when to look again, in seconds. */
const noteText = (note: string): string =>
  note.replace(/^again in (\d+) ms$/, (_, ms: string) => `looks again in ${Math.ceil(Number(ms) / 1000)} s`);
