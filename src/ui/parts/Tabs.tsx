import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './Tabs.module.css';

interface Tab<V extends string> {
  readonly value: V;
  readonly label: string;
  readonly count?: number | undefined;
  readonly content: () => ReactNode;
}

interface TabsProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly tabs: readonly Tab<V>[];
  readonly onValue: (value: V) => void;
  /** What stands at the end of the row of tabs. */
  readonly end?: ReactNode;
}

/** Views of one thing, one at a time. Only the chosen one is rendered. */
export function Tabs<V extends string>({ label, value, tabs, onValue, end }: TabsProps<V>) {
  const choose = (text: string): void => {
    const tab = tabs.find((candidate) => candidate.value === text);
    if (tab) onValue(tab.value);
  };
  return (
    <Radix.Root value={value} onValueChange={choose} className={styles.tabs}>
      <div className={styles.row}>
        <Radix.List aria-label={label} className={styles.list}>
          {tabs.map((tab) => (
            <Radix.Trigger key={tab.value} value={tab.value} className={styles.tab}>
              {tab.label}
              {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {end && <div className={styles.end}>{end}</div>}
      </div>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className={styles.content} tabIndex={-1}>
          {tab.content()}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
