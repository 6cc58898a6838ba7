import { always, int32, microTime, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';
import { ObjectMeta } from '../meta/objectMeta.ts';
import { ObjectReference } from './references.ts';

export const EventSource = struct('api.core.v1.EventSource', {
  component: opt(1, string),
  host: opt(2, string),
});
export type EventSource = Infer<typeof EventSource>;

export const EventSeries = struct('api.core.v1.EventSeries', {
  count: opt(1, int32),
  lastObservedTime: opt(2, microTime),
});
export type EventSeries = Infer<typeof EventSeries>;

export const Event = object('api.core.v1.Event', {
  metadata: always(1, ObjectMeta),
  involvedObject: always(2, ObjectReference),
  reason: opt(3, string),
  message: opt(4, string),
  source: opt(5, EventSource),
  firstTimestamp: opt(6, time),
  lastTimestamp: opt(7, time),
  count: opt(8, int32),
  type: opt(9, string),
  eventTime: opt(10, microTime),
  series: ptr(11, EventSeries),
  action: opt(12, string),
  related: ptr(13, ObjectReference),
  reportingComponent: always(14, string, { required: false }),
  reportingInstance: always(15, string, { required: false }),
});
export type Event = Infer<typeof Event>;

/** The same events as the group of events shows them. */
export const EventSeriesV1 = struct('api.events.v1.EventSeries', {
  count: always(1, int32),
  lastObservedTime: always(2, microTime),
});
export type EventSeriesV1 = Infer<typeof EventSeriesV1>;

export const EventV1 = object('api.events.v1.Event', {
  metadata: always(1, ObjectMeta),
  eventTime: always(2, microTime),
  series: ptr(3, EventSeriesV1),
  reportingController: opt(4, string),
  reportingInstance: opt(5, string),
  action: opt(6, string),
  reason: opt(7, string),
  regarding: opt(8, ObjectReference),
  related: ptr(9, ObjectReference),
  note: opt(10, string),
  type: opt(11, string),
  deprecatedSource: opt(12, EventSource),
  deprecatedFirstTimestamp: opt(13, time),
  deprecatedLastTimestamp: opt(14, time),
  deprecatedCount: opt(15, int32),
});
export type EventV1 = Infer<typeof EventV1>;
