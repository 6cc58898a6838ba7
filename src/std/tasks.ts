/**
 * Resolves when the host has run what else was waiting: requests, timers, the end of writes. For long work that comes in
 * parts; promises alone never let go of the thread. Who waited first goes on first.
 */
export function otherTasks(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    callInNextTurn(goOn);
  });
}

const waiting: (() => void)[] = [];
/** How many turns came while work outside of the thread was under way. */
let owed = 0;
let outside: Promise<unknown> = Promise.resolve();
let outsideCount = 0;

/**
 * Does short work that the platform does outside of this thread, such as a signature. One comes after the other, and whoever
 * waits in `otherTasks` goes on after them: so what happens in which order does not hang on how long each takes.
 */
export function inOneTurn<T>(work: () => Promise<T>): Promise<T> {
  outsideCount++;
  // What needs no time, because it is known already, ends in a turn of its own as well.
  const done = outside.then(work).finally(() => new Promise<void>(callInNextTurn));
  outside = done.then(leaveTurn, leaveTurn);
  return done;
}

/** What follows from the work runs first, for it needs no turn. */
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

/** Browsers have no function for it, but a message to oneself comes after all that waits already. */
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

/** Work that yields each promise that it has to wait for. Where it meets none, it takes no turn of anybody's. */
export type Waiting<T> = Generator<Promise<unknown>, T, undefined>;

/** Does the work: at once if nothing has to be waited for. */
export function whenDone<T>(work: Waiting<T>): Promise<T> | T {
  const first = work.next();
  return first.done ? first.value : goOnAfter(work, first.value);
}

async function goOnAfter<T>(work: Waiting<T>, first: Promise<unknown>): Promise<T> {
  for (let awaited = first; ;) {
    const next = await awaited.then(
      () => work.next(),
      (problem: unknown) => work.throw(problem),
    );
    if (next.done) return next.value;
    awaited = next.value;
  }
}
