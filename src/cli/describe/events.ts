/** The events of an object, as a description ends with them. */
import { pathOf, events as eventsRef, type Client } from '../../client/index.ts';
import type { ApiObject, objects } from '../../schema/index.ts';
import { ageOf } from '../output/text.ts';
import { field, indent, NONE, type Line } from './lines.ts';

type Event = objects.Event;

const MIRROR = '{domain}/config.mirror';

/** Asks for the events about an object. Throws StatusError where the server refuses. */
export async function eventsOf(client: Client, { kind = '', metadata }: ApiObject): Promise<readonly Event[]> {
  const { name = '', namespace = '', uid = '', annotations = {} } = metadata;
  // Node agents name the node where its identity should stand, and do not name the kind of a pod.
  const identity = kind === 'Node' ? name : kind === 'Pod' ? (annotations[client.names.fill(MIRROR)] ?? uid) : uid;
  const fields = {
    ...{ 'involvedObject.name': name, 'involvedObject.namespace': namespace },
    ...(kind === 'Pod' ? {} : { 'involvedObject.kind': kind }),
    ...(identity === '' ? {} : { 'involvedObject.uid': identity }),
  };
  return find(client, namespace, fields);
}

async function find(
  client: Client,
  namespace: string,
  fields: Readonly<Record<string, string>>,
): Promise<readonly Event[]> {
  const fieldSelector = Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join();
  const list = (await client.json(pathOf(eventsRef, client.names, namespace), { query: { fieldSelector } })) as {
    readonly items?: readonly Event[] | null;
  };
  return [...(list.items ?? [])].sort((a, b) => timeOf(a) - timeOf(b));
}

const timeOf = ({ lastTimestamp }: Event): number => (lastTimestamp ? Date.parse(lastTimestamp) : 0);

/** The table of the events, the latest last. */
export function eventLines(events: readonly Event[], now: number): readonly Line[] {
  if (events.length === 0) return [field('Events', NONE)];
  const rows = events.map((event) =>
    [
      event.type ?? '',
      event.reason ?? '',
      when(event, now),
      event.source?.component ?? '',
      (event.message ?? '').trim(),
    ].join('\t'),
  );
  return ['Events:', ...indent(1, ['Type\tReason\tAge\tFrom\tMessage', '----\t------\t----\t----\t-------', ...rows])];
}

function when({ count = 0, firstTimestamp, lastTimestamp, eventTime }: Event, now: number): string {
  if (count > 1) return `${ageOf(lastTimestamp, now)} (x${count} over ${ageOf(firstTimestamp, now)})`;
  return ageOf(firstTimestamp ?? eventTime, now);
}
