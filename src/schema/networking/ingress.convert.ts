/** Ingresses between v1 and the beta versions: the same rules, backends written in another way. */
import type { Ingress, IngressBackend, IngressBackendV1beta1, IngressV1beta1 } from './ingress.ts';

/** Rules with each of their backends converted. */
function withBackends<B, R extends { http?: { paths: { backend: B }[] | null } }>(
  rules: R[],
  convert: (backend: B) => object,
): object[] {
  return rules.map((rule) => ({
    ...rule,
    http: rule.http && { paths: rule.http.paths?.map((path) => ({ ...path, backend: convert(path.backend) })) },
  }));
}

export function toHubFromBeta(ingress: IngressV1beta1): object {
  const { backend, rules, ...spec } = ingress.spec;
  const defaultBackend = backend && upgrade(backend);
  return { ...ingress, spec: { ...spec, defaultBackend, rules: rules && withBackends(rules, upgrade) } };
}

function upgrade({ serviceName, servicePort, resource }: IngressBackendV1beta1): object {
  const named = typeof servicePort === 'string';
  if (!serviceName && !named && servicePort === 0) return { resource };
  return { service: { name: serviceName, port: named ? { name: servicePort } : { number: servicePort } }, resource };
}

export function toBetaFromHub(ingress: Ingress): object {
  const { defaultBackend, rules, ...spec } = ingress.spec;
  const backend = defaultBackend && downgrade(defaultBackend);
  return { ...ingress, spec: { ...spec, backend, rules: rules && withBackends(rules, downgrade) } };
}

function downgrade({ service, resource }: IngressBackend): object {
  return { serviceName: service?.name, servicePort: service?.port.name ?? service?.port.number ?? 0, resource };
}
