/** The storage quota of clusters: requests persistence, and reports when space becomes scarce. */
import { isRead } from '../wire/index.ts';
import type { Connection } from './connection.ts';

export interface Room {
  /** The bytes that this origin uses, and its quota. */
  readonly usage: number;
  readonly quota: number;
}

/** From this share of the quota on, writes may soon fail. */
const SCARCE = 0.8;
/** How many writes go by between two looks at the room. */
const WRITES = 100;

/** The used parts of `navigator.storage`. */
export type StorageManagerLike = Pick<StorageManager, 'estimate' | 'persist' | 'persisted'>;

/**
 * The same connection with monitored writes: after the first one the browser is asked once for persistent storage, and
 * now and then how much space is left. `onScarce` is called once until there is space again.
 */
export function watchRoom(
  connection: Connection,
  onScarce: (room: Room) => void,
  storage: StorageManagerLike | undefined = navigator.storage,
): Connection {
  if (!storage) return connection;
  let writes = 0;
  let told = false;
  const look = async (): Promise<void> => {
    const { usage = 0, quota = 0 } = await storage.estimate();
    const scarce = quota > 0 && usage > quota * SCARCE;
    if (scarce && !told) onScarce({ usage, quota });
    told = scarce;
  };
  const note = async (): Promise<void> => {
    const before = writes++;
    if (before === 0 && !(await storage.persisted())) await storage.persist();
    if (before % WRITES === 0) await look();
  };
  return {
    ...connection,
    send: async (call) => {
      const response = await connection.send(call);
      // A browser without an estimate is not asked again; writes do not fail because of it.
      if (response.ok && call.realm !== 'host' && !isRead(call.method)) note().catch(() => undefined);
      return response;
    },
  };
}
