/** Truncates large events: first an event's objects are removed, then the event; batches are split. */
import type { AuditEvent } from '../event.ts';
import type { Backend, OnLost } from './types.ts';

export interface TruncateOptions {
  readonly maxEventBytes: number;
  readonly maxBatchBytes: number;
  readonly textOf: (event: AuditEvent) => string;
  /** The annotation that marks a truncated event. */
  readonly mark: string;
  readonly onLost: OnLost;
}

export function truncating(backend: Backend, options: TruncateOptions): Backend {
  const { maxEventBytes, maxBatchBytes, textOf, mark, onLost } = options;
  const fitted = (event: AuditEvent): { event: AuditEvent; size: number } | undefined => {
    const size = textOf(event).length;
    if (size <= maxEventBytes) return { event, size };
    const cut = withoutObjects(event, mark);
    const left = textOf(cut).length;
    if (left <= maxEventBytes) return { event: cut, size: left };
    onLost('truncate', 1, `the event ${event.auditID} has ${left} bytes even without its objects`);
    return undefined;
  };
  return {
    name: backend.name,
    process: async (events) => {
      let batch: AuditEvent[] = [];
      let total = 0;
      for (const { event, size } of events.map(fitted).filter((one) => one !== undefined)) {
        if (total + size > maxBatchBytes && batch.length > 0) {
          await backend.process(batch);
          [batch, total] = [[], 0];
        }
        batch.push(event);
        total += size;
      }
      if (batch.length > 0) await backend.process(batch);
    },
    stop: () => backend.stop(),
  };
}

function withoutObjects(event: AuditEvent, mark: string): AuditEvent {
  const { requestObject: _request, responseObject: _response, ...rest } = event;
  return { ...rest, annotations: { ...event.annotations, [mark]: 'true' } };
}
