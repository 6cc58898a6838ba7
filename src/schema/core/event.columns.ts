/** Columns of events. */
import type { CellContext, Column } from '../define/index.ts';
import { since, text, wide } from '../meta/columns.ts';
import type { Event } from './event.ts';

export const eventColumns: readonly Column<Event>[] = [
  text('Last Seen', 'How long ago it happened for the last time.', lastSeen),
  text('Type', 'Normal, or Warning.', ({ type = '' }) => type),
  text('Reason', 'Why it happened, in one word.', ({ reason = '' }) => reason),
  text('Object', 'Object to which it happened.', objectText),
  wide('Subobject', 'Part of the object to which it happened.', ({ involvedObject }) => involvedObject.fieldPath ?? ''),
  wide('Source', 'Who tells it.', sourceText),
  text('Message', 'What happened.', ({ message = '' }) => message.trim()),
  wide('First Seen', 'How long ago it happened for the first time.', firstSeen),
  wide('Count', 'How often it happened.', ({ series, count }) => (series ? (series.count ?? 0) + 1 : count || 1)),
  {
    name: 'Name',
    type: 'string',
    format: 'name',
    priority: 1,
    doc: 'Name of the event.',
    cell: ({ metadata }) => metadata.name ?? '',
  },
];

function firstSeen(event: Event, { now }: CellContext): string {
  return since(event.firstTimestamp ?? event.eventTime, now);
}

function lastSeen(event: Event, context: CellContext): string {
  if (event.series) return since(event.series.lastObservedTime, context.now);
  return event.lastTimestamp === null ? firstSeen(event, context) : since(event.lastTimestamp, context.now);
}

function objectText({ involvedObject: { kind = '', name = '' } }: Event): string {
  return name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`;
}

function sourceText({ source, reportingComponent, reportingInstance }: Event): string {
  const component = source.component || reportingComponent || '';
  const instance = source.host || reportingInstance;
  return instance ? `${component}, ${instance}` : component;
}
