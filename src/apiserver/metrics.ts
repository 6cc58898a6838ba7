/** `/metrics`: the metrics of the server and of the components in its process, in Prometheus text format. */
import { auditFamilies } from '../audit/index.ts';
import { certificateExpiration } from '../authn/index.ts';
import type { Answer } from './codec/answer.ts';
import { textResponse } from './codec/textResponse.ts';
import type { Core, RequestContext } from './context.ts';
import { conversionDuration } from './metrics/conversion.ts';
import { flowFamilies } from './flow/metrics.ts';
import { authenticationFamilies } from './metrics/authentication.ts';
import { filterDuration } from './metrics/filters.ts';
import { inFlightFamilies, type InFlight } from './metrics/inFlight.ts';
import { startProcess } from './metrics/process.ts';
import { requestFamilies } from './metrics/requests.ts';
import { gaugeServices, unavailableServices } from './metrics/services.ts';
import { gaugeStorage, storageFamilies } from './metrics/storage.ts';
import { watchFamilies } from './metrics/watches.ts';

/** All metric families of the server. */
const families = [
  ...authenticationFamilies,
  certificateExpiration,
  ...auditFamilies,
  ...requestFamilies,
  filterDuration,
  ...inFlightFamilies,
  ...watchFamilies,
  ...storageFamilies,
  ...flowFamilies,
  conversionDuration,
  unavailableServices,
];

/** Registers the server's metrics, and updates gauges before they are read. */
export function startMetrics(server: Core & { readonly inFlight: InFlight }): void {
  const { metrics, clock, names, inFlight, scheme, storage } = server;
  metrics.register(families);
  startProcess(metrics, clock, names);
  metrics.onCollect(() => {
    inFlight.gauge(metrics);
    gaugeStorage(metrics, scheme, storage);
    gaugeServices(server);
  });
}

/** Answers `/metrics`; a DELETE resets the counters. */
export function metricsPath({ request, server }: RequestContext): Answer {
  if (request.method === 'DELETE') {
    server.metrics.reset();
    return { type: 'response', response: textResponse('metrics reset\n', 200, 'text/plain; charset=utf-8') };
  }
  return {
    type: 'response',
    response: textResponse(server.metrics.text(), 200, 'text/plain; version=0.0.4; charset=utf-8'),
  };
}
