import styles from './StartPage.module.css';

/** A link to a cluster of another browser, or to one that was removed. */
export default function MissingCluster({ name }: { readonly name: string }) {
  return (
    <p role="status" className={styles.missing}>
      The link asks for the cluster <strong>{name}</strong>, which this browser does not have. A cluster lives in the
      browser that made it. You can make one of that name below.
    </p>
  );
}
