import { useId, type ReactNode } from 'preact/compat';
import { walkRow } from './roving.ts';
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

/** On a small screen the row of tabs is longer than there is room. It waits for the next frame, which lays everything out anyway. */
function scrollIntoSight(tab: HTMLElement | null): void {
  if (tab) requestAnimationFrame(() => tab.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
}

/** Views of one thing, one at a time. Only the chosen one is rendered; arrow keys go from tab to tab. */
export function Tabs<V extends string>({ label, value, tabs, onValue, end }: TabsProps<V>) {
  const id = useId();
  const at = tabs.findIndex((tab) => tab.value === value);
  const choose = (place: number): void => {
    const tab = tabs[place];
    if (tab) onValue(tab.value);
  };
  return (
    <div className={styles.tabs}>
      <div className={styles.row}>
        <div
          role="tablist"
          aria-label={label}
          className={styles.list}
          onKeyDown={(event) => walkRow(event, 'tab', at, choose)}
        >
          {tabs.map((tab) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              aria-selected={tab.value === value}
              aria-controls={tab.value === value ? `${id}-panel` : undefined}
              tabIndex={tab.value === value ? 0 : -1}
              ref={tab.value === value ? scrollIntoSight : null}
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
        tabIndex={0}
        className={styles.content}
      >
        {tabs[at]?.content()}
      </div>
    </div>
  );
}
