/** Columns of autoscalers and of the Scale view. */
import type { Column } from '../define/index.ts';
import { age, firstOf, integer, name, text } from '../meta/columns.ts';
import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from './horizontalPodAutoscaler.ts';
import type { Scale } from './scale.ts';

export const horizontalPodAutoscalerColumns: readonly Column<HorizontalPodAutoscaler>[] = [
  name,
  text('Reference', 'What is scaled.', ({ spec }) => `${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`),
  text('Targets', 'Measured load, and the load that is aimed at.', targets),
  text('MinPods', 'Fewest pods that may run.', ({ spec }) =>
    spec.minReplicas === undefined ? '<unset>' : String(spec.minReplicas),
  ),
  text('MaxPods', 'Most pods that may run.', ({ spec }) => spec.maxReplicas),
  text('Replicas', 'Pods that run.', ({ status }) => status.currentReplicas),
  age,
];

const SHOWN = 2;

function targets({ spec, status }: HorizontalPodAutoscaler): string {
  const metrics = spec.metrics ?? [];
  if (metrics.length === 0) return '<none>';
  return firstOf(
    metrics.map((metric, i) => targetOf(metric, status.currentMetrics?.[i])),
    SHOWN,
    ', ',
  );
}

function targetOf(metric: MetricSpec, status: MetricStatus | undefined): string {
  switch (metric.type) {
    case 'External':
      return valueOrAverage(metric.external?.target, status?.external?.current);
    case 'Object':
      return valueOrAverage(metric.object?.target, status?.object?.current);
    case 'Pods':
      return `${status?.pods?.current.averageValue ?? UNKNOWN}/${metric.pods?.target.averageValue ?? ''}`;
    case 'Resource':
      return utilization(metric.resource?.target, status?.resource?.current);
    case 'ContainerResource':
      return utilization(metric.containerResource?.target, status?.containerResource?.current);
    default:
      return '<unknown type>';
  }
}

const UNKNOWN = '<unknown>';

function valueOrAverage(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? UNKNOWN}/${target.averageValue} (avg)`;
  return `${current?.value ?? UNKNOWN}/${target?.value ?? ''}`;
}

function utilization(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? UNKNOWN}/${target.averageValue}`;
  const percent = (value: number | undefined, otherwise: string): string =>
    value === undefined ? otherwise : `${value}%`;
  return `${percent(current?.averageUtilization, UNKNOWN)}/${percent(target?.averageUtilization, '<auto>')}`;
}

export const scaleColumns: readonly Column<Scale>[] = [
  name,
  integer('Desired', 'Replicas that are wanted.', ({ spec }) => spec.replicas ?? 0),
  integer('Available', 'Replicas that there are.', ({ status }) => status.replicas),
  age,
];
