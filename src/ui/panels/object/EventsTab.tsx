import { Bell } from 'lucide-preact';
import type { ApiObject } from '../../../schema/index.ts';
import { Empty, ErrorNote, StateMark } from '../../parts/index.ts';
import { age, useNow } from '../../stores/clock.ts';
import { asNumber, asText, at } from '../../stores/jsonValues.ts';
import { useLiveObjects } from '../../stores/liveObjects.ts';
import { findResource, useResources } from '../../stores/resources.ts';
import styles from './EventsTab.module.css';

const lastSeen = (event: ApiObject): string =>
  asText(at(event, 'lastTimestamp')) || asText(at(event, 'eventTime')) || (event.metadata.creationTimestamp ?? '');

const whoSaid = (event: ApiObject): string =>
  asText(at(event, 'source', 'component')) || asText(at(event, 'reportingComponent'));

/** What components reported about an object, latest first. */
export function EventsTab({ object }: { readonly object: ApiObject }) {
  const resource = useResources((state) => findResource(state.resources, 'core', 'events'));
  const { namespace, uid } = object.metadata;
  const live = useLiveObjects(
    resource && { resource, ...(namespace ? { namespace } : {}), fieldSelector: `involvedObject.uid=${uid ?? ''}` },
  );
  const now = useNow();
  if (live.phase === 'refused')
    return <ErrorNote title="You may not read its events.">{live.problem?.message}</ErrorNote>;
  if (live.phase === 'live' && live.objects.length === 0) {
    return (
      <Empty icon={Bell} title="No events">
        What controllers, the scheduler and nodes report about this object appears here; events are kept for an hour.
      </Empty>
    );
  }
  const events = [...live.objects].sort((a, b) => (lastSeen(a) < lastSeen(b) ? 1 : -1));
  return (
    <ul className={styles.events}>
      {events.map((event) => (
        <EventItem key={event.metadata.uid} event={event} now={now} />
      ))}
    </ul>
  );
}

function EventItem({ event, now }: { readonly event: ApiObject; readonly now: number }) {
  const count = asNumber(at(event, 'count')) ?? asNumber(at(event, 'series', 'count')) ?? 1;
  const reason = asText(event['reason']);
  return (
    <li className={styles.event}>
      <p className={styles.head}>
        {event['type'] === 'Warning' ? (
          <StateMark state="failed" text={reason} />
        ) : (
          <span className={styles.reason}>{reason}</span>
        )}
        <span className={styles.meta}>
          {count > 1 && `×${count} · `}
          {whoSaid(event)} · {age(lastSeen(event), now)}
        </span>
      </p>
      <p className={styles.message}>{asText(event['message']) || asText(event['note'])}</p>
    </li>
  );
}
