/** Which rule of which Ingress matches an HTTP request: the decision of the simulated ingress controller. */
import type { objects } from '../schema/index.ts';
import { trimRight } from '../std/index.ts';
import { keyOf, type NetworkView } from './view.ts';

type Ingress = objects.Ingress;
type Backend = objects.IngressBackend;

export interface HttpRequest {
  /** The requested host without a port. */
  readonly host: string;
  /** The path, beginning with `/`. */
  readonly path: string;
}

export interface IngressRoute {
  readonly ingress: Ingress;
  readonly backend: Backend;
  /** The path of the backend in the Ingress, such as `spec.rules[0].http.paths[1]`. */
  readonly at: string;
}

interface Ranked extends IngressRoute {
  /** 0 for any host, 1 for a wildcard, 2 for an exact host. */
  readonly hostRank: number;
  readonly pathLength: number;
  readonly exact: boolean;
}

/**
 * Whether the simulated controller serves an Ingress: one of its classes, or one without a class if one of them is the
 * default.
 */
export function isServed({ metadata, spec }: Ingress, view: NetworkView): boolean {
  const { names, ingressController } = view.settings;
  const name = spec?.ingressClassName ?? metadata?.annotations?.[names.fill('{label}/ingress.class')];
  if (name !== undefined) return view.get('ingressclasses', name)?.spec?.controller === ingressController;
  const isDefault = names.fill('ingressclass.{label}/is-default-class');
  return view.classesOf(ingressController).some((each) => each.metadata?.annotations?.[isDefault] === 'true');
}

/**
 * The desired addresses in an Ingress status: the controller's, or none if it is no longer served. Undefined if they
 * are set already, or belong to another controller.
 */
export function addressesToWrite(ingress: Ingress, view: NetworkView): { ip: string }[] | undefined {
  const { ingressAddress } = view.settings;
  const stated = (ingress.status?.loadBalancer?.ingress ?? []).map(({ ip = '' }) => ip);
  if (isServed(ingress, view)) return stated.join() === ingressAddress ? undefined : [{ ip: ingressAddress }];
  return stated.includes(ingressAddress) ? [] : undefined;
}

/** The port of a backend's service; an external name needs no ports. */
export function backendPort(backend: Backend['service'], { spec }: objects.Service): number | undefined {
  const { number, name } = backend?.port ?? {};
  const found = (spec?.ports ?? []).find((each) => each.port === number || (each.name ?? '') === name);
  return found?.port ?? (spec?.type === 'ExternalName' ? number : undefined);
}

/** Whether a rule of a served Ingress has exactly this host, so that external name servers resolve it. */
export const isIngressHost = (name: string, view: NetworkView): boolean => ingressesAt(name, view).length > 0;

/** The served Ingresses with rules for a host, exact or by wildcard. */
function ingressesAt(host: string, view: NetworkView): Ingress[] {
  const wildcard = host.includes('.') ? [`*${host.slice(host.indexOf('.'))}`] : [];
  const found = [host, ...wildcard].flatMap((each) => view.ingressesFor(each.toLowerCase()));
  return [...new Set(found)].filter((ingress) => isServed(ingress, view));
}

/**
 * Routes a request: the most specific host first, then the longest path, then an exact one, then the oldest Ingress. If
 * no rule matches: the default backend of an Ingress with rules for the host, then of any other, oldest first.
 */
export function routeIngress(request: HttpRequest, view: NetworkView): IngressRoute | undefined {
  const ofHost = ingressesAt(request.host, view);
  const ofAny = view.ingressesFor('').filter((ingress) => isServed(ingress, view));
  const ranked = [...new Set([...ofHost, ...ofAny])].sort(byAge).flatMap((ingress) => routesIn(ingress, request));
  const best = ranked.sort(
    (a, b) => b.hostRank - a.hostRank || b.pathLength - a.pathLength || Number(b.exact) - Number(a.exact),
  )[0];
  return (
    best ?? defaultRoute(ofHost) ?? defaultRoute(view.ingressesWithDefaultBackend().filter((i) => isServed(i, view)))
  );
}

function byAge(a: Ingress, b: Ingress): number {
  const [old, young] = [a.metadata?.creationTimestamp ?? '', b.metadata?.creationTimestamp ?? ''];
  return old < young ? -1 : old > young ? 1 : keyOf(a) < keyOf(b) ? -1 : 1;
}

function routesIn(ingress: Ingress, { host, path }: HttpRequest): Ranked[] {
  return (ingress.spec?.rules ?? []).flatMap((rule, r) => {
    const hostRank = rankHost(rule.host ?? '', host);
    if (hostRank === undefined) return [];
    return (rule.http?.paths ?? []).flatMap((each, p) => {
      const wanted = each.path ?? '/';
      if (!matchesPath(wanted, each.pathType ?? 'ImplementationSpecific', path)) return [];
      const at = `spec.rules[${r}].http.paths[${p}]`;
      return [
        { ingress, backend: each.backend, at, hostRank, pathLength: wanted.length, exact: each.pathType === 'Exact' },
      ];
    });
  });
}

/** How specifically a rule's host matches; undefined if it does not. A wildcard matches exactly one label. */
export function rankHost(pattern: string, host: string): 0 | 1 | 2 | undefined {
  const [wanted, asked] = [pattern.toLowerCase(), host.toLowerCase()];
  if (wanted === '') return 0;
  if (wanted === asked) return 2;
  const dot = asked.indexOf('.');
  return wanted.startsWith('*.') && dot > 0 && asked.slice(dot) === wanted.slice(1) ? 1 : undefined;
}

/** `Exact` compares the whole path, `Prefix` element by element; `ImplementationSpecific` is a prefix here. */
export function matchesPath(wanted: string, type: string, path: string): boolean {
  if (type === 'Exact') return path === wanted;
  const prefix = trimRight(wanted, '/');
  return path === prefix || path.startsWith(`${prefix}/`);
}

function defaultRoute(served: readonly Ingress[]): IngressRoute | undefined {
  for (const ingress of [...served].sort(byAge)) {
    const backend = ingress.spec?.defaultBackend;
    if (backend) return { ingress, backend, at: 'spec.defaultBackend' };
  }
  return undefined;
}
