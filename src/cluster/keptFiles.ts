/**
 * The files of a cluster, such as token tables and keys. They are stored in the cluster's own storage, hidden from
 * exports and requests, so that hosts need not store credentials elsewhere. A cluster on disk stores them when it is
 * opened.
 */
import type { Storage } from '../storage/index.ts';
import { keptText, type Files } from './pki.ts';

const PATH = 'files';

/** The host's interface to a cluster's files. */
export interface KeptFiles {
  /** The files that the cluster uses, without its own keys. */
  readonly current: Files;
  /** Replaces the stored files; they are used at the next opening. Rejects if storage can't be written. */
  keep(files: Files): Promise<void>;
}

interface OpenedFiles extends KeptFiles {
  /**
   * Stores the files that the cluster uses, before anything else is written, so that the same commands give the same
   * bytes. A failure is reported at a later `keep`.
   */
  keepFirst(): Promise<void>;
}

/** The files of a cluster: the stored ones, overridden by given ones of the same name. */
export function openFiles(given: Files | undefined, storage: Storage): OpenedFiles {
  const kept = keptText(storage, PATH);
  const current = { ...(JSON.parse(kept.read() ?? '{}') as Files), ...given };
  const keep = async (files: Files): Promise<void> => {
    const text = JSON.stringify(files);
    if (text !== (kept.read() ?? '{}')) await kept.write(text);
  };
  return { current, keep, keepFirst: () => keep(current).catch(() => undefined) };
}
