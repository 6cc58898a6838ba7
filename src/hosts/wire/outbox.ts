import { inBackground, yieldToTasks, throwToHost } from '../../std/index.ts';
import type { Batch, Post } from './messages.ts';

/**
 * The maximum number of messages in a batch: enough to make a message cheap, and few enough that the other side starts
 * early.
 */
const MOST = 12;

/** Gathers messages and posts those of one turn together: most of what a small message costs is its being a message. */
export interface Outbox<M> {
  /** Goes out with the others, in the order of the calls: at the next `flush`, or when they are many. */
  add(message: M, transfer?: readonly Transferable[]): void;
  /** Posts what was added. */
  flush(): void;
  /** Flushes when everything that can run in this turn has. */
  flushSoon(): void;
  /** Flushes after other tasks, so that finished answers do not wait for slow ones. */
  flushLater(): void;
}

export function createOutbox<M>(post: Post<M | Batch<M>>): Outbox<M> {
  let messages: M[] = [];
  let transfers: Transferable[] = [];
  let soon = false;
  let later = false;

  const flush = (): void => {
    const [first, ...others] = messages;
    if (first === undefined) return;
    const [gathered, transfer] = [messages, transfers];
    [messages, transfers] = [[], []];
    post(others.length === 0 ? first : { type: 'batch', messages: gathered }, transfer);
  };

  return {
    add: (message, transfer = []) => {
      messages.push(message);
      transfers.push(...transfer);
      if (messages.length >= MOST) flush();
    },
    flush,
    flushSoon: () => {
      if (soon) return;
      soon = true;
      queueMicrotask(() => {
        soon = false;
        flush();
      });
    },
    flushLater: () => {
      if (later) return;
      later = true;
      const flushed = yieldToTasks().then(() => {
        later = false;
        flush();
      });
      inBackground(flushed, throwToHost);
    },
  };
}
