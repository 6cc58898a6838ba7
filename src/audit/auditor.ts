/** Decides how much of a request is recorded, and sends its events to the backends. */
import type { Clock } from '../std/index.ts';
import type { AuditEvent } from './event.ts';
import { judge, type Policy, type Subject } from './policy.ts';
import { AuditRecord, type AuditedRequest } from './record.ts';
import type { LogFiles } from './backends/logFiles.ts';
import type { Backend, OnLost } from './backends/types.ts';

export interface Auditor {
  /** Opens the record of a request; undefined if the policy excludes it. */
  open(subject: Subject, request: AuditedRequest): AuditRecord | undefined;
  /** Whether a request is refused if its first event could not be recorded (`blocking-strict`). */
  readonly strict: boolean;
  /** The files of the log backend. */
  readonly files: LogFiles;
  /** Sends the pending events. */
  stop(): Promise<void>;
}

export interface AuditorOptions {
  readonly clock: Clock;
  readonly policy: Policy;
  readonly backends: readonly Backend[];
  readonly strict: boolean;
  readonly files: LogFiles;
  /** Called for each recorded event, for inspection. */
  readonly onEvent: (event: AuditEvent) => void;
  readonly onLost: OnLost;
}

export function createAuditor({ clock, policy, backends, strict, files, onEvent, onLost }: AuditorOptions): Auditor {
  const keep = (backend: Backend, event: AuditEvent): boolean => {
    const lost = (problem: unknown): boolean => {
      onLost(backend.name, 1, problem instanceof Error ? problem.message : String(problem));
      return false;
    };
    try {
      void Promise.resolve(backend.process([event])).catch(lost);
      return true;
    } catch (problem) {
      return lost(problem);
    }
  };
  const sink = (event: AuditEvent): boolean => {
    onEvent(event);
    return backends.map((backend) => keep(backend, event)).every((kept) => kept);
  };
  return {
    strict,
    files,
    open: (subject, request) => {
      const judgement = judge(policy, subject);
      return judgement.level === 'None' ? undefined : new AuditRecord(request, judgement, sink, () => clock.now());
    },
    stop: async () => void (await Promise.all(backends.map((backend) => backend.stop()))),
  };
}
