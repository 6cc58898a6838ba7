import { atVersion, kind } from '../define/index.ts';
import { core, eventsGroup } from '../groups.ts';
import { fromCore, toCore } from './event.convert.ts';
import { parseDuration } from '../values/duration.ts';
import { eventRules } from './event.rules.ts';
import { tables } from '../parts/index.ts';
import { Event, EventV1 } from './event.ts';

const referenceFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

const selectable = {
  ...Object.fromEntries(
    referenceFields.map((field) => [`involvedObject.${field}`, (event: Event) => event.involvedObject[field] ?? '']),
  ),
  reason: (event: Event) => event.reason ?? '',
  reportingComponent: (event: Event) => event.reportingComponent,
  source: (event: Event) => event.source.component ?? event.reportingComponent,
  type: (event: Event) => event.type ?? '',
};

const selectableAs = {
  ...Object.fromEntries(referenceFields.map((field) => [`regarding.${field}`, `involvedObject.${field}`])),
  reason: 'reason',
  reportingController: 'reportingComponent',
  type: 'type',
};

export const events = kind(Event, {
  group: core,
  kind: 'Event',
  resource: 'events',
  shortNames: ['ev'],
  namespaced: true,
  rules: eventRules,
  ttlSeconds: (flag) => (parseDuration(flag('event-ttl') ?? '') ?? 0) / 1000,
  doc: 'A note that something happened to an object; kept for a limited time.',
  versions: [
    { version: 'v1', type: Event },
    { version: 'v1', group: eventsGroup, selectableAs, type: EventV1, toHub: toCore, fromHub: fromCore },
    {
      version: 'v1beta1',
      group: eventsGroup,
      selectableAs,
      type: atVersion(EventV1, 'v1beta1'),
      toHub: toCore,
      fromHub: fromCore,
    },
  ],
  columns: tables.of('eventColumns'),
  selectable,
});
