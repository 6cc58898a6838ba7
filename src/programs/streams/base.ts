import type { StopSignal } from '../../std/index.ts';
import { SystemError } from '../errors.ts';
import type { Stream } from './stream.ts';

/** What streams have in common: they count their holders, and refuse what they can't do. */
export abstract class BaseStream implements Stream {
  #holders = 1;
  #returned: Uint8Array[] | undefined;

  async read(signal?: StopSignal): Promise<Uint8Array | undefined> {
    return this.#returned?.pop() ?? (await this.readMore(signal));
  }

  unread(bytes: Uint8Array): void {
    if (bytes.length > 0) (this.#returned ??= []).push(bytes);
  }

  write(_bytes: Uint8Array, _signal?: StopSignal): Promise<void> {
    return Promise.reject(new SystemError('EBADF'));
  }

  retain(): this {
    this.#holders += 1;
    return this;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0) this.closed();
  }

  protected readMore(_signal?: StopSignal): Promise<Uint8Array | undefined> {
    return Promise.reject(new SystemError('EBADF'));
  }

  /** The last reference was released. */
  protected closed(): void {}
}
