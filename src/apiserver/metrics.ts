/** `/metrics`: what is counted, by the server and by the components that share its process, as Prometheus text. */
import { auditFamilies } from '../audit/index.ts';
import { certificateExpiration } from '../authn/index.ts';
import { textResponse, type Answer } from './codec/respond.ts';
import type { RequestContext, Server } from './context.ts';
import { conversionDuration } from './extensions/conversion/index.ts';
import { flowFamilies } from './flow/index.ts';
import { authenticationFamilies } from './metrics/authentication.ts';
import { inFlightFamilies } from './metrics/inFlight.ts';
import { startProcess } from './metrics/process.ts';
import { requestFamilies } from './metrics/requests.ts';
import { gaugeStorage, storageFamilies } from './metrics/storage.ts';
import { watchFamilies } from './metrics/watches.ts';

export { countAuthentication } from './metrics/authentication.ts';
export { InFlight } from './metrics/inFlight.ts';
export { droppedRequests, markDeprecated, RequestMetrics } from './metrics/requests.ts';
export { timedStorage } from './metrics/storage.ts';
export { countWatch, type WatchCount } from './metrics/watches.ts';

/** Everything that the server counts. */
const families = [
  ...authenticationFamilies,
  certificateExpiration,
  ...auditFamilies,
  ...requestFamilies,
  ...inFlightFamilies,
  ...watchFamilies,
  ...storageFamilies,
  ...flowFamilies,
  conversionDuration,
];

/** Makes the server's metrics known, and has those that show a state brought up to date before they are read. */
export function startMetrics({ metrics, clock, names, inFlight, scheme, storage }: Server): void {
  metrics.register(families);
  startProcess(metrics, clock, names);
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
