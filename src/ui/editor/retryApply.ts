/** Repeats a request that the server refused only because something else is not there yet. */
import { StatusError, type Status } from '../../schema/index.ts';

/** Waits for some milliseconds. */
export type Wait = (ms: number) => Promise<unknown>;

/** Milliseconds: the first pause, the longest one, and how long a write is tried at all. */
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 2000;
const PATIENCE = 15_000;

/** Messages of refusals that end when a controller has done its part: a new namespace has no service account at first, and not yet the certificate of the cluster. */
const notYet: readonly { readonly code: number; readonly message: RegExp }[] = [
  { code: 403, message: /error looking up service account .* not found/ },
  { code: 403, message: /status unknown for quota/ },
  { code: 404, message: /^configmaps "[^"]*root-ca\.crt" not found/ },
  { code: 404, message: /^the server could not find the requested resource/i },
  { code: 500, message: /^No API token found for service account/i },
];

/** Whether the same request may succeed a little later. `created` are the namespaces that were created just now. */
export function isTemporary({ code, message = '', details }: Status, created: ReadonlySet<string>): boolean {
  if (details?.retryAfterSeconds) return true;
  if (code === 404) {
    const missing = /^namespaces "([^"]*)" not found/.exec(message)?.[1];
    if (missing !== undefined) return created.has(missing);
  }
  return notYet.some((each) => each.code === code && each.message.test(message));
}

/** Runs `work` until it succeeds, is refused for good, or has been tried for 15 seconds. */
export async function retryApply<T>(work: () => Promise<T>, created: ReadonlySet<string>, wait: Wait): Promise<T> {
  let waited = 0;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return await work();
    } catch (error) {
      if (waited >= PATIENCE || !(error instanceof StatusError) || !isTemporary(error.status, created)) throw error;
      const ms = Math.max(pause, 1000 * (error.status.details?.retryAfterSeconds ?? 0));
      await wait(ms);
      waited += ms;
    }
  }
}
