import type { AuditEvent } from '../event.ts';

/** The destination of events. */
export interface Backend {
  readonly name: string;
  /** Receives events; throws or rejects if they could not be recorded. */
  process(events: readonly AuditEvent[]): void | Promise<void>;
  /** Sends the pending events. */
  stop(): Promise<void>;
}

/** Called for lost events: the backend, their number, the reason. */
export type OnLost = (backend: string, count: number, why: string) => void;
