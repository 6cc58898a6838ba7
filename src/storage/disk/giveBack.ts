import type { Backend } from '../backends/backend.ts';

/**
 * Frees the buffer of bytes that a backend has written and copied, by detaching it. Otherwise it is freed by a full garbage collection,
 * which may be minutes later.
 */
export function giveBack({ copies }: Backend, { buffer }: Uint8Array<ArrayBuffer>): void {
  const movable: ArrayBuffer & { transfer?(length: number): ArrayBuffer } = buffer;
  if (copies) movable.transfer?.(0);
}
