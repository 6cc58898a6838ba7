/** What chance decides in a cluster, or the seed that it was given. */
import { loadSeededKeys, platformKeys, type KeyMaker } from '../authn/index.ts';
import { freshSeed, seededRandom, type Random } from '../std/index.ts';
import type { Storage } from '../storage/index.ts';
import type { ClusterOptions } from './options.ts';

export interface Chance {
  readonly random: Random;
  readonly keyMaker: KeyMaker;
}

/**
 * A cluster that is opened again must not give the names and uids of its first opening once more. Keys have a stream of
 * their own: how many bytes they take must not change what follows.
 */
export async function chanceOf({ seed, servers }: ClusterOptions, storage: Storage, server = ''): Promise<Chance> {
  const start = seed ?? freshSeed();
  const again = storage.revision > 0 ? `${start} from revision ${storage.revision}` : start;
  // Servers that share a storage must not make the same names and uids either.
  const apart = servers === 2 ? `${again} at ${server}` : `${start} ${freshSeed()}`;
  const opening = storage.shared ? apart : again;
  const keyMaker = seed === undefined ? platformKeys : await loadSeededKeys(seededRandom(`keys of ${opening}`));
  return { random: seededRandom(opening), keyMaker };
}
