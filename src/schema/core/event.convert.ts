/** Events between the core group, which stores them, and the group of events, which names their fields anew. */
import type { Event, EventV1 } from './event.ts';

export function toCore(event: EventV1): object {
  const {
    note,
    regarding,
    deprecatedSource,
    deprecatedFirstTimestamp,
    deprecatedLastTimestamp,
    deprecatedCount,
    reportingController,
    ...same
  } = event;
  return {
    ...same,
    message: note,
    involvedObject: regarding,
    source: deprecatedSource,
    firstTimestamp: deprecatedFirstTimestamp,
    lastTimestamp: deprecatedLastTimestamp,
    count: deprecatedCount,
    reportingComponent: reportingController,
  };
}

export function fromCore(event: Event): object {
  const { message, involvedObject, source, firstTimestamp, lastTimestamp, count, reportingComponent, ...same } = event;
  return {
    ...same,
    note: message,
    regarding: involvedObject,
    deprecatedSource: source,
    deprecatedFirstTimestamp: firstTimestamp,
    deprecatedLastTimestamp: lastTimestamp,
    deprecatedCount: count,
    reportingController: reportingComponent,
  };
}
