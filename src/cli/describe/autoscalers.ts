/** Horizontal autoscalers: what they measure, and what they do about it. */
import { horizontalPodAutoscalers } from '../../client/index.ts';
import type { objects } from '../../schema/index.ts';
import { describer } from './describer.ts';
import { field, indent, longTime, meta, names, section, table, UNSET, type Line } from './lines.ts';

type Metric = objects.MetricSpec;
type Target = objects.MetricTarget;
type Current = objects.MetricValueStatus;

const UNKNOWN = '<unknown>';

export const autoscalerDescriber = describer(horizontalPodAutoscalers, (scaler) => {
  const { metadata, spec, status } = scaler;
  const { kind, name } = spec.scaleTargetRef;
  const conditions = status.conditions ?? [];
  const rows = conditions.map(({ type, status: value, reason = '', message = '' }) => [type, value, reason, message]);
  return [
    ...names(scaler),
    ...meta(scaler),
    field('CreationTimestamp', longTime(metadata.creationTimestamp)),
    field('Reference', `${kind}/${name}`),
    field('Metrics', '( current / target )'),
    ...indent(
      1,
      (spec.metrics ?? []).map((metric, i) => metricLine(metric, status.currentMetrics?.[i])),
    ),
    field('Min replicas', spec.minReplicas ?? UNSET),
    field('Max replicas', spec.maxReplicas),
    ...(spec.behavior
      ? section('Behavior', [
          ...rulesLines('Scale Up', spec.behavior.scaleUp),
          ...rulesLines('Scale Down', spec.behavior.scaleDown),
        ])
      : []),
    field(`${kind} pods`, `${status.currentReplicas} current / ${status.desiredReplicas} desired`),
    ...(rows.length === 0 ? [] : section('Conditions', table(['Type', 'Status', 'Reason', 'Message'], rows))),
  ];
});

const pair = (current: string | undefined, target: string | undefined): string =>
  `${current ?? UNKNOWN} / ${target ?? '<nil>'}`;

function metricLine(metric: Metric, current: objects.MetricStatus | undefined): Line {
  const { external, pods, object, resource } = metric;
  if (external) {
    const { name } = external.metric;
    return measured(`${JSON.stringify(name)} (`, external.target, current?.external?.current);
  }
  if (pods)
    return field(
      `${JSON.stringify(pods.metric.name)} on pods`,
      pair(current?.pods?.current.averageValue, pods.target.averageValue),
    );
  if (object) {
    const { kind, name } = object.describedObject;
    return measured(`"${object.metric.name}" on ${kind}/${name} (`, object.target, current?.object?.current);
  }
  if (resource) return resourceLine(resource, current?.resource?.current);
  return `<unknown metric type ${JSON.stringify(metric.type)}>`;
}

function measured(beginning: string, target: Target, current: Current | undefined): Line {
  if (target.averageValue !== undefined && target.averageValue !== null)
    return field(`${beginning}target average value)`, pair(current?.averageValue, target.averageValue));
  return field(`${beginning}target value)`, pair(current?.value, target.value));
}

function resourceLine({ name, target }: objects.ResourceMetricSource, current: Current | undefined): Line {
  const title = `resource ${name} on pods`;
  if (target.averageValue) return field(title, pair(current?.averageValue, target.averageValue));
  const { averageUtilization } = current ?? {};
  const now =
    typeof averageUtilization === 'number' ? `${averageUtilization}% (${current?.averageValue ?? '<nil>'})` : undefined;
  const wanted = typeof target.averageUtilization === 'number' ? `${target.averageUtilization}%` : '<auto>';
  return field(`${title}  (as a percentage of request)`, pair(now, wanted));
}

function rulesLines(title: string, rules: objects.HPAScalingRules | null | undefined): readonly Line[] {
  if (!rules) return [];
  const { stabilizationWindowSeconds: window, policies = [], selectPolicy } = rules;
  return section(title, [
    ...(typeof window === 'number' ? [`Stabilization Window: ${window} seconds`] : []),
    ...(policies.length === 0
      ? []
      : [
          `Select Policy: ${selectPolicy ?? 'Max'}`,
          ...section(
            'Policies',
            policies.map(
              ({ type, value, periodSeconds }) => `- Type: ${type}\tValue: ${value}\tPeriod: ${periodSeconds} seconds`,
            ),
          ),
        ]),
  ]);
}
