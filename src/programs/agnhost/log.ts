import { encodeText } from '../../std/index.ts';
import type { Process } from '../process.ts';
import { formatDate } from '../tools/date.ts';

/** A line as Go's `log` writes it. */
export const log = (process: Process, text: string): Promise<void> =>
  process.stderr.write(encodeText(`${formatDate('%Y/%m/%d %T', process.system.clock.now())} ${text}\n`));

/** A line as klog writes it; `at` is the place in the source. */
export function klog(process: Process, at: string, text: string): Promise<void> {
  const now = process.system.clock.now();
  const time = `${formatDate('%m%d %T', now)}.${String(now % 1000).padStart(3, '0')}000`;
  return process.stderr.write(encodeText(`I${time}       ${process.pid} ${at}] ${text}\n`));
}
