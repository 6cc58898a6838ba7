/** What an autoscaler read of its metrics, against their targets. */
import { parseQuantity, type ApiObject } from '../../../../schema/index.ts';
import { getOwn } from '../../../../std/index.ts';
import { asList, asNumber, asRecord, asText, at } from '../../../stores/jsonValues.ts';

export interface Reading {
  readonly name: string;
  readonly current: string;
  readonly target: string;
  readonly ratio: number;
}

const SOURCES: Readonly<Record<string, string>> = {
  Resource: 'resource',
  Pods: 'pods',
  Object: 'object',
  External: 'external',
  ContainerResource: 'containerResource',
};

/** The metrics in the order of the specification; those that could not be read are left out. */
export function readingsOf(autoscaler: ApiObject): readonly Reading[] {
  const currents = asList(at(autoscaler, 'status', 'currentMetrics'));
  return asList(at(autoscaler, 'spec', 'metrics')).flatMap((metric, i) => {
    const source = getOwn(SOURCES, asText(at(metric, 'type')));
    if (source === undefined) return [];
    const spec = asRecord(at(metric, source));
    const current = asRecord(at(currents[i], source, 'current'));
    const name = asText(spec['name']) || asText(at(spec, 'metric', 'name'));
    return compare(name, current, asRecord(spec['target']));
  });
}

function compare(
  name: string,
  current: Readonly<Record<string, unknown>>,
  target: Readonly<Record<string, unknown>>,
): readonly Reading[] {
  for (const field of ['averageUtilization', 'averageValue', 'value']) {
    const [have, want] = [amount(getOwn(current, field)), amount(getOwn(target, field))];
    if (have === undefined || !want) continue;
    const unit = field === 'averageUtilization' ? ' %' : '';
    return [
      {
        name,
        current: `${asText(getOwn(current, field))}${unit}`,
        target: `${asText(getOwn(target, field))}${unit}`,
        ratio: have / want,
      },
    ];
  }
  return [];
}

function amount(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? parseQuantity(value)?.milliValue() : undefined;
}

/** When an autoscaler set a new size, by its events. */
export function rescalesOf(events: readonly ApiObject[]): readonly { readonly at: number; readonly text: string }[] {
  return events
    .filter((event) => asText(at(event, 'reason')) === 'SuccessfulRescale')
    .map((event) => ({ at: Date.parse(asText(at(event, 'lastTimestamp'))), text: asText(at(event, 'message')) }))
    .filter((each) => !Number.isNaN(each.at))
    .sort((a, b) => a.at - b.at);
}

/** Seconds of stabilization in a direction; the reference waits 300 s before it scales down. */
export function windowOf(autoscaler: ApiObject, direction: 'scaleUp' | 'scaleDown'): number {
  const given = asNumber(at(autoscaler, 'spec', 'behavior', direction, 'stabilizationWindowSeconds'));
  return given ?? (direction === 'scaleUp' ? 0 : 300);
}
