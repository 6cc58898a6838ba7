import type { Pod } from '../../client/index.ts';
import { faultValue, type FaultName } from '../../faults/index.ts';
import { parseDuration } from '../../schema/index.ts';

/** The effects of a pod's fault annotations; `src/faults` lists them. */
export interface Faults {
  readonly failsPull: boolean;
  readonly exit: { readonly after: number; readonly code: number; readonly reason?: 'OOMKilled' } | undefined;
  /** Milliseconds after a container's start until probes succeed. */
  readonly readyAfter: number;
  /** Whether a probe always fails or alternates. */
  readonly probe: Readonly<Partial<Record<ProbeKind, 'fail' | 'flap'>>>;
}

export type ProbeKind = 'readiness' | 'liveness' | 'startup';

const KINDS: readonly ProbeKind[] = ['readiness', 'liveness', 'startup'];
/** Milliseconds for which flapping containers are alternately ready and unready. */
const FLAP = 10_000;
const CRASHES_AFTER = 1000;

export function faultsOf(pod: Pod): Faults {
  const value = (name: FaultName): string | undefined => faultValue(name, pod.metadata.annotations);
  const time = (name: FaultName): number | undefined => parseDuration(value(name) ?? 'none');
  const probe = KINDS.map((kind) => [kind, value(kind)] as const).filter(([, way]) => way !== undefined);
  return {
    failsPull: value('image-pull') === 'fail',
    exit: exitOf(time('out-of-memory'), time('exit'), value('crash')),
    readyAfter: time('slow-start') ?? 0,
    probe: Object.fromEntries(probe),
  };
}

function exitOf(oomAfter: number | undefined, exitAfter: number | undefined, code: string | undefined): Faults['exit'] {
  if (oomAfter !== undefined) return { after: oomAfter, code: 137, reason: 'OOMKilled' };
  if (exitAfter === undefined && code === undefined) return undefined;
  return { after: exitAfter ?? CRASHES_AFTER, code: Number(code ?? 0) };
}

/** Whether a fault makes a probe fail at this time after the container's start. */
export function failsProbe({ probe, readyAfter }: Faults, kind: ProbeKind, sinceStart: number): boolean {
  if (kind !== 'liveness' && sinceStart < readyAfter) return true;
  return probe[kind] === 'fail' || (probe[kind] === 'flap' && Math.floor(sinceStart / FLAP) % 2 === 1);
}
