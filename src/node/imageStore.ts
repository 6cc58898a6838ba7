import { delay, type Clock } from '../std/index.ts';
import { canonicalImage, imageOf, pullTime } from '../programs/index.ts';

/** The pulled images of a node. */
export class ImageStore {
  readonly #clock: Clock;
  readonly #pulled = new Map<string, number>();
  readonly #pulling = new Map<string, Promise<void>>();
  readonly #onChange: () => void;

  constructor(clock: Clock, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  has(image: string): boolean {
    return this.#pulled.has(canonicalImage(image));
  }

  /** Records an existing image: its containers ran before the agent was restarted. */
  keep(image: string): void {
    this.#pulled.set(canonicalImage(image), imageOf(image).size);
  }

  /** Pulls an image; an existing one is only checked. Concurrent pulls of one image are shared. */
  pull(image: string): Promise<void> {
    const name = canonicalImage(image);
    const found = this.#pulling.get(name) ?? this.#pull(name);
    this.#pulling.set(name, found);
    return found;
  }

  /** The list for a node's status, largest first, with full names and the names that pods use. */
  list(): { names: string[]; sizeBytes: number }[] {
    const all = Array.from(this.#pulled, ([name, sizeBytes]) => ({ names: namesOf(name), sizeBytes }));
    return all.sort((a, b) => b.sizeBytes - a.sizeBytes).slice(0, 50);
  }

  async #pull(name: string): Promise<void> {
    const image = imageOf(name);
    await delay(this.#clock, this.#pulled.has(name) ? 50 : pullTime(image));
    this.#pulling.delete(name);
    if (this.#pulled.has(name)) return;
    this.#pulled.set(name, image.size);
    this.#onChange();
  }
}

/** The full name of an image, and the short one if it comes from the default registry. */
function namesOf(name: string): string[] {
  const short = name.replace(/^docker\.io\/(library\/)?/, '');
  return short === name ? [name] : [name, short];
}
