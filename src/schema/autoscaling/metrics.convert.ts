/** Metrics of autoscalers, between the flat form of v2beta1 (v1 keeps it in annotations) and the form of v2beta2. */
import { setOwn } from '../../std/index.ts';
import type {
  MetricSpec,
  MetricSpecV2beta1,
  MetricStatus,
  MetricStatusV2beta1,
  MetricTarget,
  MetricValueStatus,
} from './horizontalPodAutoscaler.ts';

type Convert<From, To> = (from: From) => To;

/** The result of a converter: missing fields may be undefined, and normalizing drops them. */
type Loose = Readonly<Record<string, unknown>>;

const ZERO = '0';

/** The parts of a metric, each under the name of its type; only one is set. */
function convertParts<From extends object>(
  metric: From,
  parts: { [K in keyof From]?: Convert<NonNullable<From[K]>, Loose> },
): Loose {
  const converted: Record<string, unknown> = Object.fromEntries(Object.entries(metric));
  for (const name of Object.keys(parts) as (keyof From & string)[]) {
    const part = metric[name];
    if (part !== undefined && part !== null)
      setOwn(converted, name, parts[name]?.(part as NonNullable<From[typeof name]>));
  }
  return converted;
}

function byUtilization(utilization: number | undefined, averageValue: string | undefined): Loose {
  const type = utilization === undefined ? 'AverageValue' : 'Utilization';
  return { type, averageValue, averageUtilization: utilization };
}

/** A metric as v2beta2 has it. */
export function upgradeSpec(metric: MetricSpecV2beta1): Loose {
  return convertParts(metric, {
    object: ({ target, metricName, selector, targetValue, averageValue }) => ({
      describedObject: target,
      metric: { name: metricName, selector },
      target: { type: averageValue === undefined ? 'Value' : 'AverageValue', value: targetValue, averageValue },
    }),
    pods: ({ metricName, selector, targetAverageValue }) => ({
      metric: { name: metricName, selector },
      target: { type: 'AverageValue', averageValue: targetAverageValue },
    }),
    resource: ({ name, targetAverageUtilization, targetAverageValue }) => ({
      name,
      target: byUtilization(targetAverageUtilization, targetAverageValue),
    }),
    containerResource: ({ name, container, targetAverageUtilization, targetAverageValue }) => ({
      name,
      container,
      target: byUtilization(targetAverageUtilization, targetAverageValue),
    }),
    external: ({ metricName, metricSelector, targetValue, targetAverageValue }) => ({
      metric: { name: metricName, selector: metricSelector },
      target: {
        type: targetValue === undefined ? 'AverageValue' : 'Value',
        value: targetValue,
        averageValue: targetAverageValue,
      },
    }),
  });
}

const averages = ({ averageUtilization, averageValue }: MetricTarget): Loose => ({
  targetAverageUtilization: averageUtilization,
  targetAverageValue: averageValue,
});

/** A metric as v2beta1 has it. */
export function downgradeSpec(metric: MetricSpec): Loose {
  return convertParts(metric, {
    object: ({ describedObject, metric: { name, selector }, target }) => ({
      target: describedObject,
      metricName: name,
      targetValue: target.value ?? ZERO,
      selector,
      averageValue: target.averageValue,
    }),
    pods: ({ metric: { name, selector }, target }) => ({
      metricName: name,
      targetAverageValue: target.averageValue ?? ZERO,
      selector,
    }),
    resource: ({ name, target }) => ({ name, ...averages(target) }),
    containerResource: ({ name, container, target }) => ({ name, container, ...averages(target) }),
    external: ({ metric: { name, selector }, target }) => ({
      metricName: name,
      metricSelector: selector,
      targetValue: target.value,
      targetAverageValue: target.averageValue,
    }),
  });
}

/** A measurement as v2beta2 has it. */
export function upgradeStatus(metric: MetricStatusV2beta1): Loose {
  return convertParts(metric, {
    object: ({ target, metricName, selector, currentValue, averageValue }) => ({
      describedObject: target,
      metric: { name: metricName, selector },
      current: { value: currentValue, averageValue },
    }),
    pods: ({ metricName, selector, currentAverageValue }) => ({
      metric: { name: metricName, selector },
      current: { averageValue: currentAverageValue },
    }),
    resource: ({ name, currentAverageUtilization, currentAverageValue }) => ({
      name,
      current: { averageValue: currentAverageValue, averageUtilization: currentAverageUtilization },
    }),
    containerResource: ({ name, container, currentAverageUtilization, currentAverageValue }) => ({
      name,
      container,
      current: { averageValue: currentAverageValue, averageUtilization: currentAverageUtilization },
    }),
    external: ({ metricName, metricSelector, currentValue, currentAverageValue }) => ({
      metric: { name: metricName, selector: metricSelector },
      current: { value: currentValue, averageValue: currentAverageValue },
    }),
  });
}

const measured = ({ averageUtilization, averageValue }: MetricValueStatus): Loose => ({
  currentAverageUtilization: averageUtilization,
  currentAverageValue: averageValue ?? ZERO,
});

/** A measurement as v2beta1 has it. */
export function downgradeStatus(metric: MetricStatus): Loose {
  return convertParts(metric, {
    object: ({ describedObject, metric: { name, selector }, current }) => ({
      target: describedObject,
      metricName: name,
      currentValue: current.value ?? ZERO,
      selector,
      averageValue: current.averageValue,
    }),
    pods: ({ metric: { name, selector }, current }) => ({
      metricName: name,
      currentAverageValue: current.averageValue ?? ZERO,
      selector,
    }),
    resource: ({ name, current }) => ({ name, ...measured(current) }),
    containerResource: ({ name, container, current }) => ({ name, container, ...measured(current) }),
    external: ({ metric: { name, selector }, current }) => ({
      metricName: name,
      metricSelector: selector,
      currentValue: current.value ?? ZERO,
      currentAverageValue: current.averageValue,
    }),
  });
}
