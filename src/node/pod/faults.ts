import { getOwn } from '../../std/index.ts';
import type { Pod } from '../../client/index.ts';
import { parseDuration } from '../../schema/index.ts';

/**
 * What annotations of a pod make its containers do:
 *
 * - `simulation.vitrine.dev/pull: fail` – their images can't be pulled
 * - `simulation.vitrine.dev/exit-after: 30s` and `…/exit-code: "1"` – they end by themselves
 * - `simulation.vitrine.dev/oom-after: 30s` – they are killed for their use of memory
 * - `simulation.vitrine.dev/ready-after: 10s` – they answer probes only after a while
 * - `simulation.vitrine.dev/readiness: fail`, `…/liveness: fail`, `…/startup: fail` – that probe fails for as long as this stands
 */
export interface Faults {
  readonly failsPull: boolean;
  readonly exit: { readonly after: number; readonly code: number; readonly reason?: 'OOMKilled' } | undefined;
  /** Milliseconds after a container's start until probes succeed. */
  readonly readyAfter: number;
  readonly failing: ReadonlySet<ProbeKind>;
}

export type ProbeKind = 'readiness' | 'liveness' | 'startup';

const PREFIX = 'simulation.vitrine.dev/';
const KINDS: readonly ProbeKind[] = ['readiness', 'liveness', 'startup'];

export function faultsOf(pod: Pod): Faults {
  const note = (name: string): string | undefined => getOwn(pod.metadata.annotations, PREFIX + name);
  const time = (name: string): number | undefined => parseDuration(note(name) ?? 'none');
  return {
    failsPull: note('pull') === 'fail',
    exit: exitOf(time('oom-after'), time('exit-after'), note('exit-code')),
    readyAfter: time('ready-after') ?? 0,
    failing: new Set(KINDS.filter((kind) => note(kind) === 'fail')),
  };
}

function exitOf(oomAfter: number | undefined, exitAfter: number | undefined, code: string | undefined): Faults['exit'] {
  if (oomAfter !== undefined) return { after: oomAfter, code: 137, reason: 'OOMKilled' };
  if (exitAfter === undefined && code === undefined) return undefined;
  return { after: exitAfter ?? 1000, code: Number(code ?? 0) & 255 };
}
