import { keyOf, nameOf, type Pod, type Service } from '../../client/index.ts';
import { timeOf } from '../../schema/index.ts';
import { rfc3339 } from '../../std/index.ts';

interface Seen {
  readonly service: number;
  readonly pods: ReadonlyMap<string, number>;
}

/**
 * When the endpoints of a service changed: the earliest change since the last call. A change is a pod that became ready
 * or unready, or the creation of the service.
 */
export class TriggerTimes {
  readonly #seen = new Map<string, Seen>();

  /** The time of the change as RFC 3339; undefined if nothing has changed since the last call. */
  next(service: Service, pods: readonly Pod[]): string | undefined {
    const created = timeOf(service.metadata.creationTimestamp) ?? 0;
    const times = new Map(pods.flatMap((pod) => readinessChange(pod)));
    const before = this.#seen.get(keyOf(service));
    this.#seen.set(keyOf(service), { service: created, pods: times });
    if (!before) return created === 0 ? undefined : rfc3339(created);
    const changed = [...times].filter(([name, time]) => time > (before.pods.get(name) ?? 0)).map(([, time]) => time);
    if (created > before.service) changed.push(created);
    return changed.length === 0 ? undefined : rfc3339(Math.min(...changed));
  }

  forget(key: string): void {
    this.#seen.delete(key);
  }
}

function readinessChange(pod: Pod): [name: string, time: number][] {
  const ready = pod.status?.conditions?.find((condition) => condition.type === 'Ready');
  const time = timeOf(ready?.lastTransitionTime);
  return time === undefined ? [] : [[nameOf(pod), time]];
}
