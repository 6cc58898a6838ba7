import { cx } from '../../parts/index.ts';
import { patchLines } from './patch.ts';
import styles from './Way.module.css';

/** What a step changed, field by field. */
export function PatchLines({ patch }: { readonly patch: readonly unknown[] }) {
  return (
    <pre className={styles.patch} tabIndex={0} aria-label="Changes">
      {patchLines(patch).map(({ as, text }, index) => (
        <span key={index} className={cx(styles.patchLine, styles[as === 'added' ? 'plus' : 'minus'])}>
          <span className={styles.sign} aria-label={as}>
            {as === 'added' ? '+' : '−'}
          </span>
          {text}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
