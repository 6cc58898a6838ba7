import styles from './Waiting.module.css';

/** Stands where something is on its way; nothing shows for the first moment, so that quick things do not flicker. */
export function Waiting({ what = 'Loading' }: { readonly what?: string }) {
  return (
    <p className={styles.waiting} role="status">
      {what}…
    </p>
  );
}
