/** The host's time, which drives a clock. */
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
    // In Node a pending timer must not keep the process alive. In browsers a handle is a number.
    if (typeof handle === 'object' && 'unref' in handle) (handle as { unref(): void }).unref();
    return handle;
  },
  cancel: (handle) => clearTimeout(handle as never),
};
