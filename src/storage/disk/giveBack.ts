import type { Backend } from '../backends/backend.ts';

/**
 * Gives back the memory of bytes that a backend has written and copied. A collection of garbage may do that only minutes later, because
 * it takes a row of a megabyte for a small object.
 */
export function giveBack({ copies }: Backend, { buffer }: Uint8Array<ArrayBuffer>): void {
  const movable: ArrayBuffer & { transfer?(length: number): ArrayBuffer } = buffer;
  if (copies) movable.transfer?.(0);
}
