import { cx } from '../../parts/index.ts';
import { go } from '../../stores/address.ts';
import type { PodView } from './model/pods.ts';
import type { State } from '../../theme/states.ts';
import styles from './Picture.module.css';

/** Beyond so many, pods are counted. */
const MOST = 36;

/** The pods of a node, each a small square: filled where it runs. */
export function Pods({ pods }: { readonly pods: readonly PodView[] }) {
  if (pods.length === 0) return <span className={styles.note}>no pods</span>;
  if (pods.length > MOST) return <PodCounts pods={pods} />;
  return (
    <ul className={styles.pods} aria-label={`${pods.length} pods`}>
      {pods.map(({ key, state, phase }) => (
        <li key={key}>
          <a
            href={`#pod-${key}`}
            className={cx(styles.pod, styles[state])}
            title={`${key}: ${wordOf(state, phase)}`}
            aria-label={`${key}: ${wordOf(state, phase)}`}
            onClick={(event) => {
              event.preventDefault();
              event.stopPropagation();
              go({ query: { sel: `object:core/pods/${key}`, tab: undefined } });
            }}
          />
        </li>
      ))}
    </ul>
  );
}

function wordOf(state: State, phase: string): string {
  if (state === 'deleted') return 'Terminating';
  return phase === 'Running' && state === 'pending' ? 'Running, not ready' : phase;
}

function PodCounts({ pods }: { readonly pods: readonly PodView[] }) {
  const counts = new Map<string, number>();
  for (const { state, phase } of pods) {
    const word = wordOf(state, phase);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return <span className={styles.note}>{Array.from(counts, ([word, count]) => `${count} ${word}`).join(', ')}</span>;
}
