import type { Clock } from '../std/index.ts';
import { Database } from './database.ts';
import { KeySpace } from './keyspace.ts';
import type { Entry, Revision, Storage } from './types.ts';

/** A storage in memory that holds these entries and nothing else; its history begins at `revision`. */
export function copyStorage(entries: readonly Entry[], revision: Revision, clock: Clock): Storage {
  const space = new KeySpace();
  for (const entry of entries) space.seed(entry);
  space.begin(revision);
  return new Database({ space, clock, keep: Infinity });
}
