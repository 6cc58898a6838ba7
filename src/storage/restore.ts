import type { Backend } from './backends/backend.ts';
import type { Tuning } from './disk/journal.ts';
import { exporting } from './parts.ts';

/** Fills an empty backend with what `export` has written, history included. Throws TypeError when it is anything else. */
export async function restoreStorage(
  backend: Backend,
  lines: AsyncIterable<Uint8Array>,
  tuning?: Tuning,
): Promise<void> {
  const { restoreLines } = await exporting.load();
  await restoreLines(backend, lines, tuning);
}
