/** The names under which services and pods are found, and what they stand for. */
import type { objects } from '../schema/index.ts';
import { backendsOf } from './endpoints.ts';

export interface Directory {
  readonly services: readonly objects.Service[];
  readonly pods: readonly objects.Pod[];
  /** Domain of the cluster's names. */
  readonly domain: string;
  /** Which pods a service's selector selects. */
  readonly selected: (service: objects.Service) => readonly objects.Pod[];
}

export type Answer =
  | { readonly type: 'A'; readonly name: string; readonly addresses: readonly string[] }
  | { readonly type: 'CNAME'; readonly name: string; readonly target: string };

/** All names of a service, the shortest first; which of them resolves depends on the namespace of who asks. */
export function namesOfService(service: objects.Service, domain: string): string[] {
  const { name = '', namespace = '' } = service.metadata ?? {};
  return [name, `${name}.${namespace}`, `${name}.${namespace}.svc`, `${name}.${namespace}.svc.${domain}`];
}

/** Looks a name up as a pod in `namespace` would; undefined where it stands for nothing. */
export function resolve(name: string, namespace: string, directory: Directory): Answer | undefined {
  const full = name.endsWith('.') ? [name.slice(0, -1)] : searched(name, namespace, directory.domain);
  for (const candidate of full) {
    const answer = lookUp(candidate, directory);
    if (answer) return answer;
  }
  return undefined;
}

/** A pod's search list: its namespace, all services, the cluster; a name with many dots is tried as it is first. */
function searched(name: string, namespace: string, domain: string): string[] {
  const suffixed = [`${namespace}.svc.${domain}`, `svc.${domain}`, domain].map((suffix) => `${name}.${suffix}`);
  return name.split('.').length > 5 ? [name, ...suffixed] : [...suffixed, name];
}

function lookUp(full: string, directory: Directory): Answer | undefined {
  const suffix = `.svc.${directory.domain}`;
  if (full.endsWith(`.pod.${directory.domain}`)) return podByAddress(full, directory);
  if (!full.endsWith(suffix)) return undefined;
  const labels = full.slice(0, -suffix.length).split('.');
  const [namespace = '', name = '', host, ...more] = labels.reverse();
  if (more.length > 0) return undefined;
  const service = directory.services.find((s) => s.metadata?.name === name && s.metadata.namespace === namespace);
  return service && answerFor(full, service, host, directory);
}

function answerFor(
  full: string,
  service: objects.Service,
  host: string | undefined,
  { selected }: Directory,
): Answer | undefined {
  const { type, externalName = '', clusterIP } = service.spec ?? {};
  if (type === 'ExternalName')
    return host === undefined ? { type: 'CNAME', name: full, target: externalName } : undefined;
  const isHeadless = !clusterIP || clusterIP === 'None';
  if (!isHeadless) return host === undefined ? { type: 'A', name: full, addresses: [clusterIP] } : undefined;
  const backends = backendsOf(service, selected(service)).filter((backend) => backend.ready);
  const here = host === undefined ? backends : backends.filter((backend) => backend.hostname === host);
  return here.length === 0 ? undefined : { type: 'A', name: full, addresses: here.map((backend) => backend.ip).sort() };
}

/** `10-244-0-5.default.pod.cluster.local` */
function podByAddress(full: string, { pods, domain }: Directory): Answer | undefined {
  const [dashed = '', namespace = ''] = full.slice(0, -`.pod.${domain}`.length).split('.');
  const address = dashed.replaceAll('-', '.');
  const found = pods.some((pod) => pod.metadata?.namespace === namespace && pod.status?.podIP === address);
  return found ? { type: 'A', name: full, addresses: [address] } : undefined;
}
