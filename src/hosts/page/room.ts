/** The room that a browser gives to clusters: asks to keep what is there, and tells when it becomes scarce. */
import { isRead } from '../wire/index.ts';
import type { Connection } from './connection.ts';

export interface Room {
  /** Bytes that this origin uses, and that it may use at most. */
  readonly usage: number;
  readonly quota: number;
}

/** From this share of the quota on, writes may soon fail. */
const SCARCE = 0.8;
/** How many writes go by between two looks at the room. */
const WRITES = 100;

/** How a browser tells of room and is asked to keep data; the parts of `navigator.storage` that count here. */
export type StorageManagerLike = Pick<StorageManager, 'estimate' | 'persist' | 'persisted'>;

/**
 * The same connection, whose writes are watched: after the first one the browser is asked, once, not to clear the data
 * by itself, and now and then how much room is left. `onScarce` hears of it once, until there is room again.
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
      // A browser that does not tell is not asked again; that is no reason for a write to fail.
      if (response.ok && call.realm !== 'host' && !isRead(call.method)) note().catch(() => undefined);
      return response;
    },
  };
}
