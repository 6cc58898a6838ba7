import type { Resource } from '../../schema/index.ts';
import type { Entry, Topic } from '../../storage/index.ts';
import type { Views } from '../codec/views.ts';
import { fieldValue } from './selection.ts';

const topics = new WeakMap<Views, Map<string, Topic['of']>>();

/** Reads a field of a stored object. There is one function for each field, because watches are indexed by it. */
export function topicOf(views: Views, hub: Resource, field: string): Topic['of'] {
  const readers = topics.get(views) ?? new Map<string, Topic['of']>();
  topics.set(views, readers);
  const name = `${hub.apiVersion} ${hub.gvk.kind} ${field}`;
  const known = readers.get(name);
  if (known) return known;
  const of = (entry: Entry): string => fieldValue(hub, views.of(entry, hub).object, field);
  readers.set(name, of);
  return of;
}
