import type { FoldedText } from './foldedText.ts';
import type { Entry, Revision } from './types.ts';

/** What folds texts; undefined for one that is like no other. */
interface Folding {
  fold(text: string): FoldedText | undefined;
}

/** An entry whose value can be folded; nobody sees whether it is. */
class StoredEntry implements Entry {
  declare readonly key: string;
  declare readonly value: string;
  declare readonly created: Revision;
  declare readonly revision: Revision;
  declare readonly version: number;
  declare readonly expires?: number;
  #text: string | FoldedText;

  constructor({ key, created, revision, version, expires }: Omit<Entry, 'value'>, value: string | FoldedText) {
    this.#text = value;
    this.key = key;
    // An own property, so that copies of an entry have it, too.
    Object.defineProperty(this, 'value', VALUE);
    this.created = created;
    this.revision = revision;
    this.version = version;
    if (expires !== undefined) this.expires = expires;
  }

  static textOf(entry: StoredEntry): string {
    return typeof entry.#text === 'string' ? entry.#text : entry.#text.unfold();
  }

  static length(entry: Entry): number {
    return #text in entry ? entry.#text.length : entry.value.length;
  }

  static folded(entry: Entry): FoldedText | undefined {
    return #text in entry && typeof entry.#text === 'object' ? entry.#text : undefined;
  }

  static fold(entry: Entry, folder: Folding): number {
    if (!(#text in entry) || typeof entry.#text === 'object') return 0;
    const { length } = entry.#text;
    entry.#text = folder.fold(entry.#text) ?? entry.#text;
    return length;
  }
}

const VALUE: PropertyDescriptor = {
  enumerable: true,
  get(this: StoredEntry): string {
    return StoredEntry.textOf(this);
  },
};

/** An entry with this content. */
export const storedEntry = (content: Omit<Entry, 'value'>, value: string | FoldedText): Entry =>
  new StoredEntry(content, value);

/** The value as its difference to another, if it is kept so. */
export const foldedOf = (entry: Entry): FoldedText | undefined => StoredEntry.folded(entry);

/** The length of an entry's value, which is not unfolded for it. */
export const valueLength = (entry: Entry): number => StoredEntry.length(entry);

/**
 * Keeps the value of an entry that is not written any more as its difference to others, if it is much like one. Returns how
 * many characters were compared.
 */
export const foldEntry = (entry: Entry, folder: Folding): number => StoredEntry.fold(entry, folder);
