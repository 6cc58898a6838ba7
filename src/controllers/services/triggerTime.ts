import type { Pod, Service } from '../../client/index.ts';
import { timeOf } from '../../schema/index.ts';
import { rfc3339 } from '../../std/index.ts';
import { readySince } from '../runtime/index.ts';

/** When what a service leads to last changed: the newest of its own making and its pods becoming ready. */
export function triggerTime(service: Service, pods: readonly Pod[]): string | undefined {
  const times = [timeOf(service.metadata.creationTimestamp), ...pods.map(readySince)].filter(
    (time) => time !== undefined,
  );
  return times.length === 0 ? undefined : rfc3339(Math.max(...times));
}
