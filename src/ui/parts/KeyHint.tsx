import styles from './KeyHint.module.css';

/** Keys as they are pressed: `ctrl k` is one chord, `g then p` two. */
export function KeyHint({ keys }: { readonly keys: string }) {
  return (
    <span className={styles.keys}>
      {keys.split(' ').map((key, index) => (
        <kbd key={index} className={key === 'then' ? styles.then : styles.key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
