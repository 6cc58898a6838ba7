/** The server's log files, kept in memory: they rotate by size; old ones are removed by number and age. */
import type { Clock } from '../../std/index.ts';

export interface Rotation {
  /** The size in bytes above which a file is rotated. */
  readonly maxBytes: number;
  /** The number of rotated files that are kept; 0 keeps all. */
  readonly maxBackups: number;
  /** How long a rotated file is kept, in milliseconds; 0 keeps it permanently. */
  readonly maxAgeMs: number;
}

interface LogFile {
  readonly lines: string[];
  bytes: number;
  /** When it was rotated. */
  rotated?: number;
}

export class LogFiles {
  readonly #files = new Map<string, LogFile>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The names of all files, sorted. */
  get names(): readonly string[] {
    return [...this.#files.keys()].sort();
  }

  /** A file's text; undefined if it does not exist. */
  read(name: string): string | undefined {
    return this.#files.get(name)?.lines.join('');
  }

  append(name: string, text: string, rotation: Rotation): void {
    let file = this.#files.get(name);
    if (file && file.bytes + text.length > rotation.maxBytes) {
      this.#rotate(name, file, rotation);
      file = undefined;
    }
    if (!file) this.#files.set(name, (file = { lines: [], bytes: 0 }));
    file.lines.push(text);
    file.bytes += text.length;
  }

  #rotate(name: string, file: LogFile, { maxBackups, maxAgeMs }: Rotation): void {
    const now = this.#clock.now();
    const stem = name.replace(/\.[^./]*$/, '');
    const extension = name.slice(stem.length);
    const stamp = new Date(now).toISOString().replaceAll(':', '-').replace('Z', '');
    this.#files.delete(name);
    this.#files.set(`${stem}-${stamp}${extension}`, { ...file, rotated: now });
    const backups = [...this.#files].filter(([other]) => other.startsWith(`${stem}-`) && other.endsWith(extension));
    const excess = maxBackups > 0 ? backups.slice(0, Math.max(0, backups.length - maxBackups)) : [];
    const old = maxAgeMs > 0 ? backups.filter(([, { rotated = now }]) => now - rotated > maxAgeMs) : [];
    for (const [gone] of [...excess, ...old]) this.#files.delete(gone);
  }
}
