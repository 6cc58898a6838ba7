/** API service metrics. */
import { gauge } from '../../std/index.ts';
import type { Core } from '../context.ts';
import { apiServices } from '../extensions/remoteServices.ts';

export const unavailableServices = gauge(
  'aggregator_unavailable_apiservice',
  'Whether an API service can not be reached: 1 for those that another server answers for, 0 for those served here.',
  ['name'],
);

/** Updates the gauge of each existing API service. */
export function gaugeServices(server: Core): void {
  const { metrics } = server;
  metrics.clear(unavailableServices);
  for (const { metadata, spec } of apiServices(server))
    metrics.set(unavailableServices, { name: metadata.name ?? '' }, spec.service === undefined ? 0 : 1);
}
