import { useId, type KeyboardEvent, type ReactNode } from 'react';
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

/** Where a key leads from the tab at `at`, of `count`. */
function placeAfter(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** Views of one thing, one at a time. Only the chosen one is rendered; arrow keys go from tab to tab. */
export function Tabs<V extends string>({ label, value, tabs, onValue, end }: TabsProps<V>) {
  const id = useId();
  const at = tabs.findIndex((tab) => tab.value === value);
  const walk = (event: KeyboardEvent<HTMLElement>): void => {
    const next = placeAfter(event.key, at, tabs.length);
    const tab = next === undefined ? undefined : tabs[next];
    if (!tab || next === undefined) return;
    event.preventDefault();
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
    onValue(tab.value);
  };
  return (
    <div className={styles.tabs}>
      <div className={styles.row}>
        <div role="tablist" aria-label={label} className={styles.list} onKeyDown={walk}>
          {tabs.map((tab) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              aria-selected={tab.value === value}
              aria-controls={tab.value === value ? `${id}-panel` : undefined}
              tabIndex={tab.value === value ? 0 : -1}
              className={styles.tab}
              onClick={() => onValue(tab.value)}
            >
              {tab.label}
              {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
            </button>
          ))}
        </div>
        {end && <div className={styles.end}>{end}</div>}
      </div>
      <div
        key={value}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${value}`}
        tabIndex={-1}
        className={styles.content}
      >
        {tabs[at]?.content()}
      </div>
    </div>
  );
}
