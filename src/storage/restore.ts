import type { Backend } from './backends/backend.ts';
import type { Tuning } from './disk/tuning.ts';
import { exporting } from './parts.ts';

/** Fills an empty backend from the output of `export`, including history. Throws TypeError for other input. */
export async function restoreStorage(
  backend: Backend,
  lines: AsyncIterable<Uint8Array>,
  tuning?: Tuning,
): Promise<void> {
  const { restoreLines } = await exporting.load();
  await restoreLines(backend, lines, tuning);
}
