/** What a terminal has around it. The page gives it; tests give a cluster. */
import type { Server } from '../cli/index.ts';
import type { Transport } from '../client/index.ts';
import type { Names } from '../names/index.ts';
import type { Clock } from '../std/index.ts';

/** What somebody sees: it takes what a terminal understands. */
export interface Screen {
  /** Resolves when there is room for more. */
  write(text: string): Promise<void>;
  /** Empties the screen, and what was scrolled away. */
  clear(): void;
  /** Marks the row that is so many rows above the cursor. The mark moves with the row when the screen wraps its lines anew. */
  mark(above: number): void;
  /** How many rows the cursor is below the marked row. Undefined if no row is marked. */
  readonly belowMark: number | undefined;
  readonly size: Size;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Where files and history are kept from one visit to the next. */
export interface HomeStore {
  read(): Promise<Kept>;
  /** Keeps what changed; paths are those under the home folder, those of folders end with a slash. */
  keep(changes: { readonly put: ReadonlyMap<string, Uint8Array>; readonly remove: readonly string[] }): Promise<void>;
  keepHistory(lines: readonly string[]): Promise<void>;
}

export interface Kept {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly history: readonly string[];
}

export interface Surroundings {
  readonly names: Names;
  /** A transport for one command line, by its number, that asks as whoever the page acts as. 0 is for what nobody typed, such as completion. */
  transport(line: number): Transport;
  /** Whoever the page acts as. */
  user(): string;
  namespace(): string;
  chooseNamespace(namespace: string): void;
  /** Told before each line as whom commands ask, and in which namespace, where `config use-context` chose another context than the page's. */
  readonly contextChosen?: (chosen: { readonly user: string; readonly namespace: string } | undefined) => void;
  /** The cluster's time; timers wait by the person's. */
  readonly clock: Clock;
  /** Moves the cluster's time forward by some milliseconds. */
  readonly step?: (ms: number) => Promise<void>;
  readonly store: HomeStore;
  /** Lets somebody change a text; undefined where they leave it as it was. */
  readonly edit?: (title: string, text: string) => Promise<string | undefined>;
  /** Opens the pages of a server in the cluster. */
  readonly browse?: (server: Server) => void;
  /** Shows the requests that a command line has made. */
  readonly showRequests?: (line: number) => void;
}
