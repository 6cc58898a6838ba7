import { inBackground, throwToHost } from '../std/index.ts';
import type { Backend } from './backends/backend.ts';
import type { StorageCondition } from './types.ts';

const SOUND: StorageCondition = { is: 'sound' };
const FULL: StorageCondition = { is: 'full' };

/** Whether the disk is writable, and the listeners for changes of that. */
export class Conditions {
  readonly #backend: Backend | undefined;
  readonly #listeners = new Set<(condition: StorageCondition) => void>();
  #current: StorageCondition;

  /** Without a backend there is no disk, and nothing can happen to it. */
  constructor(backend: Backend | undefined) {
    this.#backend = backend;
    this.#current = backend?.full ? FULL : SOUND;
    if (backend?.lost)
      inBackground(
        backend.lost.then((why) => this.#become({ is: 'lost', why })),
        throwToHost,
      );
  }

  get current(): StorageCondition {
    return this.#current;
  }

  /** Reads the backend's state; called after each write. */
  look(): void {
    if (this.#current.is !== 'lost') this.#become(this.#backend?.full ? FULL : SOUND);
  }

  listen(listener: (condition: StorageCondition) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #become(condition: StorageCondition): void {
    if (condition.is === this.#current.is) return;
    this.#current = condition;
    for (const listener of this.#listeners) listener(condition);
  }
}
