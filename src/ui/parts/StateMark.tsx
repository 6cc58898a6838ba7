import { stateIcons, type State } from '../theme/states.ts';
import { cx } from './cx.ts';
import styles from './StateMark.module.css';

interface StateMarkProps {
  readonly state: State;
  /** The word beside the icon; the state's own name where nothing is said. An empty text leaves the icon alone. */
  readonly text?: string;
  readonly filled?: boolean;
}

/** A state, by its colour, its icon and a word: never by colour alone. */
export function StateMark({ state, text = state, filled }: StateMarkProps) {
  const Icon = stateIcons[state];
  return (
    <span className={cx(styles.mark, filled && styles.filled)} data-state-name={state}>
      <Icon className={styles.icon} {...(text === '' ? { 'aria-label': state } : { 'aria-hidden': true })} />
      {text}
    </span>
  );
}

/** A word that counts or classifies, without a state of its own. */
export function Badge({ children }: { readonly children: string | number }) {
  return <span className={styles.badge}>{children}</span>;
}
