import type { AuditEvent } from '../event.ts';

/** Where events go. */
export interface Backend {
  readonly name: string;
  /** Takes events; throws or rejects where they could not be kept. */
  process(events: readonly AuditEvent[]): void | Promise<void>;
  /** Sends what still waits. */
  stop(): Promise<void>;
}

/** Told of events that were lost: how many, where, why. */
export type OnLost = (backend: string, count: number, why: string) => void;
