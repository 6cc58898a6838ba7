/** Writes each event as a line to a file. */
import type { AuditEvent } from '../event.ts';
import type { LogFiles, Rotation } from './logFiles.ts';
import type { Backend } from './types.ts';

export interface LogOptions {
  readonly files: LogFiles;
  readonly path: string;
  readonly rotation: Rotation;
  readonly textOf: (event: AuditEvent) => string;
}

export function logBackend({ files, path, rotation, textOf }: LogOptions): Backend {
  return {
    name: 'log',
    process: (events) => {
      for (const event of events) files.append(path, `${textOf(event)}\n`, rotation);
    },
    stop: () => Promise.resolve(),
  };
}
