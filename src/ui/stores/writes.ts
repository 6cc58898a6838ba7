/**
 * What a person's press writes to the cluster. Buttons of panels write through this alone, so that each can tell the commands
 * that do the same (`panels/commands`). Actions on one object have a list of their own: `panels/object/actions/list.ts`.
 */
import type { Client } from '../../client/index.ts';
import { attempt } from './actions.ts';
import { theClient } from './clients.ts';
import type { Identity } from './identity.ts';

export interface Write<T = unknown> {
  /** What the button says. */
  readonly label: string;
  /** What is said when it worked, where something is to be said, and when it failed. */
  readonly done?: string | undefined;
  readonly failed: string;
  /** Who does it, where it isn't whoever the page acts as. */
  readonly as?: Identity;
  /** Sends the requests. It does nothing else: it is also run with a client that only notes what would be written. */
  readonly send: (client: Client) => Promise<T>;
  /** The command lines that do the same, where they say it better than the requests one by one. */
  readonly commands?: () => readonly string[];
  /** What the commands do otherwise. */
  readonly note?: string;
}

/** Sends it and says how that went; undefined where it failed. */
export async function perform<T>(write: Write<T>): Promise<{ readonly value: T } | undefined> {
  const got: { readonly value: T }[] = [];
  await attempt(write.done, write.failed, async () => {
    const client = write.as ? theClient(write.as) : theClient();
    got.push({ value: await write.send(client) });
  });
  return got[0];
}
