import { delay, type Clock } from '../std/index.ts';
import { canonicalImage, imageOf, pullTime } from '../programs/index.ts';

/** The images that a node has pulled. */
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

  /** Says that an image is there: containers of it ran before the agent was started again. */
  keep(image: string): void {
    this.#pulled.set(canonicalImage(image), imageOf(image).size);
  }

  /** Pulls an image; one that is here already is only asked after. Several pulls of one image are one. */
  pull(image: string): Promise<void> {
    const name = canonicalImage(image);
    const found = this.#pulling.get(name) ?? this.#pull(name);
    this.#pulling.set(name, found);
    return found;
  }

  /** As a node's status lists them, the largest first: by their full names, and by those that pods write. */
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

/** The full name of an image, and the short one where it comes from the default registry. */
function namesOf(name: string): string[] {
  const short = name.replace(/^docker\.io\/(library\/)?/, '');
  return short === name ? [name] : [name, short];
}
