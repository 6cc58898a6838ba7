/** The random generator of a cluster, or its seed. */
import { loadSeededKeys, platformKeys, type KeyMaker } from '../authn/index.ts';
import { freshSeed, hostRandom, seededRandom, type Random } from '../std/index.ts';
import type { Storage } from '../storage/index.ts';
import type { ClusterOptions } from './options.ts';

export interface Chance {
  readonly random: Random;
  readonly keyMaker: KeyMaker;
}

/**
 * A reopened cluster must not repeat the names and uids of its first opening. Keys have a separate stream, so that the
 * number of bytes they use does not affect anything else.
 */
export async function chanceOf({ seed, servers }: ClusterOptions, storage: Storage, server = ''): Promise<Chance> {
  const start = seed ?? freshSeed();
  const again = storage.revision > 0 ? `${start} from revision ${storage.revision}` : start;
  // Servers that share a storage must not generate the same names and uids.
  const apart = servers === 2 ? `${again} at ${server}` : `${start} ${freshSeed()}`;
  const opening = storage.shared ? apart : again;
  if (seed === undefined) return { random: hostRandom(opening), keyMaker: platformKeys };
  const keyMaker = await loadSeededKeys(seededRandom(`keys of ${opening}`));
  return { random: seededRandom(opening), keyMaker };
}
