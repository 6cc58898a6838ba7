/**
 * Resolves when the host has run what else was waiting: requests, timers, the end of writes. For long work that comes in
 * parts; promises alone never let go of the thread.
 */
export function otherTasks(): Promise<void> {
  return typeof setImmediate === 'function' ? new Promise((resolve) => setImmediate(resolve)) : nextMessage();
}

/** Browsers have no such function, but a message to oneself comes after all that waits already. */
let channel: MessageChannel | undefined;
const waiting: (() => void)[] = [];

function nextMessage(): Promise<void> {
  if (!channel) {
    channel = new MessageChannel();
    channel.port1.onmessage = () => waiting.shift()?.();
  }
  const { port2 } = channel;
  return new Promise((resolve) => {
    waiting.push(resolve);
    port2.postMessage(undefined);
  });
}

/** Work in steps that take little time each: it yields between two of them, where other tasks may run. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does all steps at once, without yielding. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Does one step after the other and yields between them. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await otherTasks();
  }
}
