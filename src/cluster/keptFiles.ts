/**
 * The files that a cluster was made with, such as tables of tokens and keys. They stay in the cluster's own storage, which
 * exports hide and no request can read, so that hosts need not remember credentials elsewhere. A cluster on a disk keeps them
 * when it is opened.
 */
import type { Storage } from '../storage/index.ts';
import { keptText, type Files } from './pki.ts';

const PATH = 'files';

/** What a host asks and tells of a cluster's files. */
export interface KeptFiles {
  /** The files that the cluster runs with, its own keys not among them. */
  readonly current: Files;
  /** Keeps these instead of those that are kept; the cluster is opened with them the next time. Rejects when storage can't be written. */
  keep(files: Files): Promise<void>;
}

interface OpenedFiles extends KeptFiles {
  /**
   * Keeps what the cluster runs with. It comes before anything else is written, so that the same commands give the same bytes. Storage
   * that can't be written is told to whoever has files kept later.
   */
  keepFirst(): Promise<void>;
}

/** The files of a cluster: those that were kept, and those that are given, which replace kept ones of the same name. */
export function openFiles(given: Files | undefined, storage: Storage): OpenedFiles {
  const kept = keptText(storage, PATH);
  const current = { ...(JSON.parse(kept.read() ?? '{}') as Files), ...given };
  const keep = async (files: Files): Promise<void> => {
    const text = JSON.stringify(files);
    if (text !== (kept.read() ?? '{}')) await kept.write(text);
  };
  return { current, keep, keepFirst: () => keep(current).catch(() => undefined) };
}
