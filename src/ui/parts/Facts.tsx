import type { ReactNode } from 'preact/compat';
import styles from './Facts.module.css';

/** Names and their values, as a describe prints them. Facts without a value are left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name} className={styles.fact}>
            <dt className={styles.name}>{name}</dt>
            <dd className={styles.value}>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A titled stretch of a panel. Its title stands below another one, unless the panel has none (`level` 2). */
export function Section({
  title,
  level = 3,
  end,
  children,
}: {
  readonly title: string;
  readonly level?: 2 | 3;
  readonly end?: ReactNode;
  readonly children: ReactNode;
}) {
  const Title = `h${level}` as const;
  return (
    <section className={styles.section} aria-label={title}>
      <header className={styles.head}>
        <Title className={styles.title}>{title}</Title>
        {end}
      </header>
      {children}
    </section>
  );
}
