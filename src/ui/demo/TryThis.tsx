import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { cx, IconButton } from '../parts/index.ts';
import { useCluster } from '../stores/session.ts';
import { hideGuide, useFilling } from './guided.ts';
import { tries, type Try } from './tries.ts';
import styles from './TryThis.module.css';

/** A few things to try in the demo, above the panel where their answers are seen. */
export default function TryThis() {
  const { cluster } = useCluster();
  const [tried, setTried] = useState<readonly Try[]>([]);
  const filling = useFilling((state) => state.filling);
  const latest = tried[0];
  const about = filling
    ? 'The shop is being set up.'
    : 'A small shop runs here on three simulated nodes. Everything is live: press, click, break things.';
  const start = (each: Try): void => {
    setTried([each, ...tried.filter((other) => other !== each)]);
    void each.run();
  };
  return (
    <section className={styles.guide} aria-label="Try this">
      <h2 className={styles.title}>Try this</h2>
      <ol className={styles.tries}>
        {tries.map((each, index) => (
          <li key={each.title}>
            <button
              type="button"
              className={cx(styles.try, each === latest && styles.latest)}
              aria-current={each === latest ? 'step' : undefined}
              disabled={filling}
              onClick={() => start(each)}
            >
              <span className={styles.number}>
                {tried.includes(each) ? <Check className={styles.done} aria-label="Tried" /> : index + 1}
              </span>
              {each.title}
            </button>
          </li>
        ))}
      </ol>
      <IconButton icon={X} label="Hide the list" onClick={() => hideGuide(cluster.name)} />
      <p className={styles.look} aria-live="polite">
        {latest?.look ?? about}
      </p>
    </section>
  );
}
