/**
 * Yields to other tasks: resolves after the host has run pending requests, timers and completed writes. Use it in long
 * work, because promises alone never release the thread. Callers continue in the order of their calls.
 */
export function yieldToTasks(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    callInNextTurn(goOn);
  });
}

const waiting: (() => void)[] = [];
/** The number of turns requested while work outside of the thread was running. */
let owed = 0;
let outside: Promise<unknown> = Promise.resolve();
let outsideCount = 0;

/**
 * Runs short work that the platform does outside of this thread, such as a signature. Such work runs one at a time, and
 * callers of `yieldToTasks` continue after it, so that the order of events does not depend on its duration.
 */
export function inOneTurn<T>(work: () => Promise<T>): Promise<T> {
  outsideCount++;
  // Work that resolves immediately also takes a full turn.
  const done = outside.then(work).finally(() => new Promise<void>(callInNextTurn));
  outside = done.then(leaveTurn, leaveTurn);
  return done;
}

/** Continuations of the work run first, because they need no turn. */
function leaveTurn(): Promise<void> {
  return new Promise((resolve) => {
    callInNextTurn(() => {
      if (--outsideCount === 0) for (; owed > 0; owed--) callInNextTurn(goOn);
      resolve();
    });
  });
}

function goOn(): void {
  if (outsideCount > 0) owed++;
  else waiting.shift()?.();
}

let channel: MessageChannel | undefined;
const calls: (() => void)[] = [];

/** Browsers have no setImmediate, but a message to the own port is delivered after all pending tasks. */
function callInNextTurn(call: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(call);
  else {
    if (!channel) {
      channel = new MessageChannel();
      channel.port1.onmessage = () => calls.shift()?.();
    }
    calls.push(call);
    channel.port2.postMessage(undefined);
  }
}

/** Work in short steps; it yields between two steps, so that other tasks may run. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs all steps without yielding. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Runs the steps one after another and yields between them. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await yieldToTasks();
  }
}

/** Work that yields each promise that it waits for. Without such promises it runs synchronously. */
export type MaybeAsync<T> = Generator<Promise<unknown>, T, undefined>;

/** Runs the work; synchronously if it yields no promise. */
export function runSyncIfPossible<T>(work: MaybeAsync<T>): Promise<T> | T {
  const first = work.next();
  return first.done ? first.value : goOnAfter(work, first.value);
}

async function goOnAfter<T>(work: MaybeAsync<T>, first: Promise<unknown>): Promise<T> {
  for (let awaited = first; ;) {
    const next = await awaited.then(
      () => work.next(),
      (problem: unknown) => work.throw(problem),
    );
    if (next.done) return next.value;
    awaited = next.value;
  }
}
