/** What the terminal's own programs use, besides their process. */
import type { Transport } from '../../client/index.ts';
import type { History } from '../line/history.ts';
import type { Console } from '../machine/console.ts';
import type { Surroundings } from '../surroundings.ts';

export interface Tools {
  /** The cluster's. */
  readonly name: string;
  readonly surroundings: Surroundings;
  /** For the command line that runs: it asks as whoever the page acts as. */
  transport(): Transport;
  readonly console: Console;
  readonly history: History;
  /** The number of the command line that runs. */
  line(): number;
  /** The key under which commands cache answers about the server. */
  readonly memory: object;
}
