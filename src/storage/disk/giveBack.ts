import type { Backend } from '../backends/backend.ts';

/** Frees the memory of a buffer at once. Otherwise it is freed by a full garbage collection, which may be minutes later. */
export function detach(buffer: ArrayBuffer & { transfer?(length: number): ArrayBuffer }): void {
  buffer.transfer?.(0);
}

/** Frees the buffer of bytes that a backend has written, or read, where it keeps a copy. */
export function giveBack({ copies }: Backend, { buffer }: Uint8Array<ArrayBuffer>): void {
  if (copies) detach(buffer);
}
