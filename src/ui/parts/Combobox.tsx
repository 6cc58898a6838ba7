import { Search } from 'lucide-preact';
import { useId, useState, type KeyboardEvent } from 'preact/compat';
import { cx } from './cx.ts';
import styles from './Combobox.module.css';

export interface ComboItem {
  readonly value: string;
  readonly label: string;
  readonly note?: string | undefined;
}

interface ComboboxProps {
  readonly label: string;
  readonly items: readonly ComboItem[];
  readonly current?: string | undefined;
  readonly onChoose: (value: string) => void;
  /** Offered as a last item made of what was typed, where values are free. */
  readonly free?: (text: string) => ComboItem | undefined;
}

const matches = (item: ComboItem, words: readonly string[]): boolean =>
  words.every((word) => `${item.label} ${item.note ?? ''}`.toLowerCase().includes(word));

/** Of more items than this nobody reads the list: they type. */
const MOST_SHOWN = 200;

/** A list that narrows while one types; arrows move, enter chooses. */
export function Combobox({ label, items, current, onChoose, free }: ComboboxProps) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const id = useId();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const own = text.trim() === '' ? undefined : free?.(text.trim());
  const found = items.filter((item) => matches(item, words));
  const shown = [...found.slice(0, MOST_SHOWN), ...(own ? [own] : [])];
  const at = Math.min(active, shown.length - 1);
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'ArrowDown') setActive(Math.min(at + 1, shown.length - 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(at - 1, 0));
    else if (event.key === 'Enter' && shown[at]) onChoose(shown[at].value);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.combobox}>
      <div className={styles.search}>
        <Search className={styles.icon} aria-hidden />
        <input
          role="combobox"
          aria-expanded
          aria-controls={id}
          aria-activedescendant={shown[at] ? `${id}-${at}` : undefined}
          aria-label={label}
          placeholder={label}
          value={text}
          spellcheck={false}
          className={styles.input}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={press}
        />
      </div>
      <ul id={id} role="listbox" aria-label={label} className={styles.list}>
        {shown.map((item, index) => (
          <Item
            key={item.value}
            id={`${id}-${index}`}
            item={item}
            active={index === at}
            current={item.value === current}
            onPoint={() => setActive(index)}
            onChoose={() => onChoose(item.value)}
          />
        ))}
        {shown.length === 0 && <li className={styles.none}>Nothing matches “{text}”.</li>}
      </ul>
      {found.length > MOST_SHOWN && (
        <p className={styles.none}>and {found.length - MOST_SHOWN} more: type to find one</p>
      )}
    </div>
  );
}

interface ItemProps {
  readonly id: string;
  readonly item: ComboItem;
  readonly active: boolean;
  readonly current: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

function Item({ id, item, active, current, onPoint, onChoose }: ItemProps) {
  return (
    <li
      id={id}
      role="option"
      aria-selected={current}
      ref={(element) => {
        if (active) element?.scrollIntoView({ block: 'nearest' });
      }}
      className={cx(styles.item, active && styles.active, current && styles.current)}
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      <span className={styles.label}>{item.label}</span>
      {item.note && <span className={styles.note}>{item.note}</span>}
    </li>
  );
}
