import type { FileHandle } from 'node:fs/promises';

/** Writes bytes at a place of a file. */
export type WriteAll = (file: FileHandle, bytes: Uint8Array, at: number) => Promise<void>;

/** An almost full disk writes only a part, without an error: the next write fails. */
export const writeAll: WriteAll = async (file, bytes, at) => {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    if (bytesWritten === 0) throw new Error('the disk took nothing');
    done += bytesWritten;
  }
};
