/** A terminal over a cluster or over nothing, with a screen that tests read. */
import type { Cluster } from '../../src/cluster/index.ts';
import { namesOf, type Profile } from '../../src/names/index.ts';
import { realClock } from '../../src/std/index.ts';
import {
  startTerminal,
  type Kept,
  type HomeStore,
  type Surroundings,
  type Terminal,
} from '../../src/terminal/index.ts';

/** Keeps what it is given, as a database does. */
export class MemoryHomeStore implements HomeStore {
  files: Map<string, Uint8Array>;
  history: readonly string[];

  constructor({ files, history }: Kept = { files: new Map(), history: [] }) {
    this.files = new Map(files);
    this.history = history;
  }

  async read(): Promise<Kept> {
    return { files: this.files, history: this.history };
  }

  async keep({ put, remove }: Parameters<HomeStore['keep']>[0]): Promise<void> {
    this.files = new Map([...this.files, ...put]);
    for (const path of remove) this.files.delete(path);
  }

  async keepHistory(lines: readonly string[]): Promise<void> {
    this.history = lines;
  }

  text(path: string): string | undefined {
    const bytes = this.files.get(path);
    return bytes && new TextDecoder().decode(bytes);
  }
}

/** Without control sequences, and without what was drawn over. */
const plain = (text: string): string =>
  text
    .replace(/\x1b\]8;[^\x1b]*\x1b\\/g, '')
    .replace(/\x1b\[[0-9;?]*[ -/]*[@-~]/g, '')
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '');

export interface Played {
  readonly terminal: Terminal;
  readonly store: MemoryHomeStore;
  readonly requests: string[];
  /** Everything that was written since the last line was typed. */
  raw(): string;
  /** Types a line, and waits for the next prompt; what was shown in between. */
  line(text: string): Promise<string>;
  /** Types, and waits until the screen shows something that fits. */
  until(typed: string, shown: RegExp): Promise<string>;
}

export interface Playing {
  readonly cluster?: Pick<Cluster, 'fetch'>;
  readonly profile?: Profile;
  readonly store?: MemoryHomeStore;
  readonly columns?: number;
  readonly token?: string;
  readonly around?: Partial<Surroundings>;
}

/** The prompt, with the cursor behind it. */
const PROMPT = /\x1b\[3[12]m\$\x1b\[0m \r\x1b\[\d+C$/;

export async function play(playing: Playing = {}): Promise<Played> {
  const { cluster, profile = 'k8s.io', store = new MemoryHomeStore(), columns = 100, token = '' } = playing;
  const requests: string[] = [];
  let namespace = 'default';
  let written = '';
  let waiting: (() => void) | undefined;
  const surroundings: Surroundings = {
    ...{ names: namesOf(profile), clock: realClock(), store },
    transport: () => (path, init) => {
      requests.push(`${init?.method ?? 'GET'} ${path}`);
      if (!cluster) return Promise.reject(new TypeError('there is no cluster'));
      const headers = new Headers(init?.headers);
      if (!headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
      return cluster.fetch(new Request(`http://cluster${path}`, { ...init, headers }));
    },
    user: () => 'administrator',
    namespace: () => namespace,
    chooseNamespace: (chosen) => void (namespace = chosen),
    ...playing.around,
  };
  const screen = {
    size: { columns, rows: 30 },
    write: async (text: string) => {
      written += text;
      waiting?.();
    },
    clear: () => void (written += '<clear>'),
    mark: () => undefined,
    belowMark: undefined,
  };
  const shows = async (fits: () => boolean): Promise<void> => {
    while (!fits()) await new Promise<void>((resolve) => (waiting = resolve));
  };
  const terminal = await startTerminal('lab', screen, surroundings);
  await shows(() => PROMPT.test(written));
  const line = async (text: string): Promise<string> => {
    written = '';
    terminal.type(`${text}\r`);
    await shows(() => written.includes('\r\n') && PROMPT.test(written));
    const rows = plain(written).split('\n');
    return rows.slice(text.split('\n').length, -1).join('\n');
  };
  return {
    ...{ terminal, store, requests, line },
    raw: () => written,
    until: async (typed, shown) => {
      written = '';
      terminal.type(typed);
      await shows(() => shown.test(plain(written)));
      return plain(written);
    },
  };
}
