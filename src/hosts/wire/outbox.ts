import { inBackground, yieldToTasks, throwToHost } from '../../std/index.ts';
import type { Batch, Post } from './messages.ts';

/**
 * The maximum number of messages in a batch: enough to make a message cheap, and few enough that the other side starts
 * early.
 */
const MOST = 12;

/** Parts of streams are posted this often at most, in milliseconds: a frame, which is as often as a page shows them. */
const FRAME = 16;

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
  /** Flushes soon, but where the last such flush was less than a frame ago, with all that comes until then. */
  flushPaced(): void;
}

export function createOutbox<M>(post: Post<M | Batch<M>>): Outbox<M> {
  let messages: M[] = [];
  let transfers: Transferable[] = [];
  let soon = false;
  let later = false;
  let paced = false;
  let mayFlushAt = 0;

  const flush = (): void => {
    const [first, ...others] = messages;
    if (first === undefined) return;
    const [gathered, transfer] = [messages, transfers];
    [messages, transfers] = [[], []];
    post(others.length === 0 ? first : { type: 'batch', messages: gathered }, transfer);
  };

  const flushSoon = (): void => {
    if (soon) return;
    soon = true;
    queueMicrotask(() => {
      soon = false;
      flush();
    });
  };

  const flushPaced = (): void => {
    if (paced) return;
    const now = performance.now();
    const wait = mayFlushAt - now;
    mayFlushAt = Math.max(mayFlushAt, now) + FRAME;
    if (wait <= 0) return flushSoon();
    paced = true;
    setTimeout(() => {
      paced = false;
      flush();
    }, wait);
  };

  return {
    add: (message, transfer = []) => {
      messages.push(message);
      transfers.push(...transfer);
      if (messages.length >= MOST) flush();
    },
    flush,
    flushSoon,
    flushPaced,
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
