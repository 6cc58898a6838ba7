import styles from './EndName.module.css';

/** Characters at the end that are never cut: what tells pods of one workload apart. */
const END = 12;
/** Names up to this length fit wherever names stand, as in a table on a phone. */
const LONG = 18;

/** A name that loses its middle where there is too little room, never its end. */
export function EndName({ name }: { readonly name: string }) {
  if (name.length <= LONG) return name;
  return (
    <span className={styles.name} title={name}>
      <span className={styles.start}>{name.slice(0, -END)}</span>
      {name.slice(-END)}
    </span>
  );
}
