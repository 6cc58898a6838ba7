import type { Profile } from '../names/index.ts';

/** How a cluster is made; the same form in the page (`vitrine.boot`), on the command line and in tests. */
export interface ClusterOptions {
  readonly name: string;
  /** `cluster.io` where nothing is said. */
  readonly naming?: Profile;
  /** Flags of the three components, as `--flag=value`; paths are names in `files`. */
  readonly apiserver?: readonly string[];
  readonly controllerManager?: readonly string[];
  readonly scheduler?: readonly string[];
  /** The virtual file set. */
  readonly files?: Readonly<Record<string, string>>;
  /** How many nodes with a simulated agent there are. */
  readonly nodes?: number;
  /** `real`, a factor such as `10`, or `manual`. */
  readonly clock?: 'real' | 'manual' | number;
  readonly seed?: string | number;
  readonly storage?: 'memory' | 'indexeddb';
}
