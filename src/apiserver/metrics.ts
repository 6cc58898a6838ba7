/** `/metrics`: what is counted, by the server and by the components that share its process, as Prometheus text. */
import { gauge } from '../std/index.ts';
import { textResponse, type Answer } from './codec/respond.ts';
import type { RequestContext, Server } from './context.ts';
import { flowFamilies } from './flow/index.ts';
import { inFlightFamilies } from './metrics/inFlight.ts';
import { requestFamilies } from './metrics/requests.ts';
import { gaugeStorage, storageFamilies } from './metrics/storage.ts';
import { watchFamilies } from './metrics/watches.ts';

export { InFlight } from './metrics/inFlight.ts';
export { droppedRequests, markDeprecated, RequestMetrics } from './metrics/requests.ts';
export { timedStorage } from './metrics/storage.ts';
export { countWatch, type WatchCount } from './metrics/watches.ts';

const started = gauge('process_start_time_seconds', 'When the cluster was started, in seconds since the epoch.');

/** Everything that the server counts. */
const families = [
  started,
  ...requestFamilies,
  ...inFlightFamilies,
  ...watchFamilies,
  ...storageFamilies,
  ...flowFamilies,
];

/** Makes the server's metrics known, and has those that show a state brought up to date before they are read. */
export function startMetrics(server: Pick<Server, 'metrics' | 'clock' | 'inFlight' | 'scheme' | 'storage'>): void {
  const { metrics, clock, inFlight, scheme, storage } = server;
  metrics.register(families);
  metrics.set(started, {}, clock.now() / 1000);
  metrics.onCollect(() => {
    inFlight.gauge(metrics);
    gaugeStorage(metrics, scheme, storage);
  });
}

/** Answers GET /metrics. */
export function metricsPath({ server }: RequestContext): Answer {
  return {
    type: 'response',
    response: textResponse(server.metrics.text(), 200, 'text/plain; version=0.0.4; charset=utf-8'),
  };
}
