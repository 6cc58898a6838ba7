/** Which elements show which rows. */
import { useRef } from 'preact/compat';

/** Keys of elements for rows: a row keeps its key for as long as it is in sight. */
export class ElementKeys {
  #keys = new Map<string, number>();
  #last = 0;

  /**
   * Where no row stays in sight, as in a log that many requests enter, their elements show the next ones: to make and
   * remove elements costs several times what new texts do.
   */
  of(rows: readonly string[]): readonly number[] {
    const before = this.#keys;
    const free = rows.some((row) => before.has(row)) ? [] : [...before.values()];
    const keys = rows.map((row, at) => before.get(row) ?? free[at] ?? ++this.#last);
    this.#keys = new Map(rows.map((row, at) => [row, keys[at] as number]));
    return keys;
  }
}

/** The keys of the elements for the rows in sight. */
export function useElementKeys(rows: readonly string[]): readonly number[] {
  const keys = useRef<ElementKeys>(undefined);
  return (keys.current ??= new ElementKeys()).of(rows);
}
