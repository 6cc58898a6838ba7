type Bytes = Uint8Array<ArrayBuffer>;
type Body = ReadableStream<Bytes>;

/** How a watch goes on when the tab that served it is gone. */
export interface Continuation {
  /** The revision from which it began. */
  readonly from: string;
  /** Requests what follows `revision`; undefined if there is no leader, so that the body ends. */
  readonly again: (revision: string) => Promise<Body | undefined>;
}

interface Versioned {
  readonly metadata?: { readonly resourceVersion?: string };
}

interface WatchEvent {
  readonly object?: Versioned & { readonly rows?: readonly { readonly object?: Versioned }[] };
}

const newline = 0x0a;

/** The events of `first` and, each time a body breaks off, those that follow; half a line at a break is left out. */
export function continued(first: Body, { from, again }: Continuation): Body {
  let reader = first.getReader();
  let lines = createLines(from);
  let cancelled = false;

  /** Whether there is a body to read on from. */
  const reconnect = async (): Promise<boolean> => {
    const next = cancelled ? undefined : await again(lines.revision()).catch(() => undefined);
    if (!next) return false;
    reader = next.getReader();
    lines = createLines(lines.revision());
    if (cancelled) await reader.cancel();
    return !cancelled;
  };

  return new ReadableStream<Bytes>({
    async pull(controller) {
      for (;;) {
        try {
          const { value, done } = await reader.read();
          if (done) return controller.close();
          const whole = lines.take(value);
          if (whole) return controller.enqueue(whole);
        } catch (error) {
          if (!(await reconnect())) return cancelled ? undefined : controller.error(error);
        }
      }
    },
    cancel: (reason) => {
      cancelled = true;
      return reader.cancel(reason);
    },
  });
}

/** Cuts chunks at the ends of lines, and knows the revision that the last line brought a reader to. */
function createLines(from: string): { take(chunk: Bytes): Bytes | undefined; revision(): string } {
  let revision = from;
  let rest: Bytes = new Uint8Array(0);
  const take = (chunk: Bytes): Bytes | undefined => {
    const all = new Uint8Array(rest.byteLength + chunk.byteLength);
    all.set(rest);
    all.set(chunk, rest.byteLength);
    const end = all.lastIndexOf(newline) + 1;
    rest = all.slice(end);
    if (end === 0) return undefined;
    const whole = all.subarray(0, end);
    const lastLine = whole.subarray(end < 2 ? 0 : whole.lastIndexOf(newline, end - 2) + 1);
    revision = revisionOf(new TextDecoder().decode(lastLine)) ?? revision;
    return whole;
  };
  return { take, revision: () => revision };
}

/** The revision that an event brings a reader to: its object's, or that of a Table's first row. */
function revisionOf(line: string): string | undefined {
  try {
    const { object } = JSON.parse(line) as WatchEvent;
    return object?.metadata?.resourceVersion || object?.rows?.[0]?.object?.metadata?.resourceVersion;
  } catch {
    return undefined;
  }
}
