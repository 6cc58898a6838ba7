import styles from './Ident.module.css';

/** An identifier within prose. */
export function Ident({ children }: { readonly children: string }) {
  return <code className={styles.ident}>{children}</code>;
}
