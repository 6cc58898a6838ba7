/** What the page keeps of a cluster besides its data: it goes with the cluster. */
import { clearHomeStore } from '../panels/terminal/homeStore.ts';
import { setOrigin } from '../scenarios/origins.ts';
import { dropKeysOf } from './keyring.ts';

/** Forgets what a cluster began as, the keys that were made for it, and its terminal's files and history. */
export async function forgetCluster(name: string): Promise<void> {
  setOrigin(name, undefined);
  await Promise.all([dropKeysOf(name), clearHomeStore(name)]);
}
