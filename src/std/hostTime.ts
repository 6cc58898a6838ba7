/** What a clock is driven by: the host's own time. */
export interface HostTime {
  now(): number;
  schedule(fn: () => void, ms: number): unknown;
  cancel(handle: unknown): void;
}

const MAX_HOST_DELAY = 0x7fffffff;

export const hostTime: HostTime = {
  now: () => Date.now(),
  schedule: (fn, ms) => {
    const handle = setTimeout(fn, Math.min(ms, MAX_HOST_DELAY));
    // In Node a pending timer of the simulation must not keep the process alive; browsers hand out numbers.
    if (typeof handle === 'object' && 'unref' in handle) (handle as { unref(): void }).unref();
    return handle;
  },
  cancel: (handle) => clearTimeout(handle as never),
};
