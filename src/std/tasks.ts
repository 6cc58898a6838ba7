/**
 * Resolves when the host has run what else was waiting: requests, timers, the end of writes. For long work that comes in
 * parts; promises alone never let go of the thread.
 */
export function otherTasks(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
