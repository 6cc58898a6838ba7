/** Which rule of which Ingress takes an HTTP request: what the simulated ingress controller decides. */
import type { objects } from '../schema/index.ts';
import { keyOf, type NetworkView } from './view.ts';

type Ingress = objects.Ingress;
type Backend = objects.IngressBackend;

export interface HttpRequest {
  /** The host that the client asks for, without a port. */
  readonly host: string;
  /** The path, beginning with `/`. */
  readonly path: string;
}

export interface IngressRoute {
  readonly ingress: Ingress;
  readonly backend: Backend;
  /** Where the backend stands in the Ingress, such as `spec.rules[0].http.paths[1]`. */
  readonly at: string;
}

interface Ranked extends IngressRoute {
  /** 0 for any host, 1 for a wildcard, 2 for the host itself. */
  readonly hostRank: number;
  readonly pathLength: number;
  readonly exact: boolean;
}

/** The Ingresses that the simulated controller serves: those of its classes, and those without a class if one is the default. */
export function servedIngresses(view: NetworkView): Ingress[] {
  const { names, ingressController } = view.settings;
  const classes = view.all('ingressclasses').filter(({ spec }) => spec?.controller === ingressController);
  const mine = new Set(classes.map((each) => each.metadata?.name ?? ''));
  const isDefault = names.fill('ingressclass.{label}/is-default-class');
  const hasDefault = classes.some((each) => each.metadata?.annotations?.[isDefault] === 'true');
  const annotation = names.fill('{label}/ingress.class');
  return view.all('ingresses').filter(({ metadata, spec }) => {
    const name = spec?.ingressClassName ?? metadata?.annotations?.[annotation];
    return name === undefined ? hasDefault : mine.has(name);
  });
}

/**
 * Routes a request: the most specific host first, then the longest path, then an exact one, then the oldest Ingress. Without
 * a rule that matches, the default backend of an Ingress without rules, or of the matching host's Ingress.
 */
export function routeIngress(request: HttpRequest, view: NetworkView): IngressRoute | undefined {
  const served = servedIngresses(view).sort(byAge);
  const ranked = served.flatMap((ingress) => routesIn(ingress, request));
  const best = ranked.sort(
    (a, b) => b.hostRank - a.hostRank || b.pathLength - a.pathLength || Number(b.exact) - Number(a.exact),
  )[0];
  return best ?? defaultRoute(served);
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

/** How well a rule's host fits; undefined where it does not. A wildcard stands for exactly one label. */
export function rankHost(pattern: string, host: string): 0 | 1 | 2 | undefined {
  const [wanted, asked] = [pattern.toLowerCase(), host.toLowerCase()];
  if (wanted === '') return 0;
  if (wanted === asked) return 2;
  const dot = asked.indexOf('.');
  return wanted.startsWith('*.') && dot > 0 && asked.slice(dot) === wanted.slice(1) ? 1 : undefined;
}

/** `Exact` compares the whole path, `Prefix` element by element; what is left to the implementation is a prefix here. */
export function matchesPath(wanted: string, type: string, path: string): boolean {
  if (type === 'Exact') return path === wanted;
  const prefix = wanted.replace(/\/+$/, '');
  return path === prefix || path.startsWith(`${prefix}/`);
}

function defaultRoute(served: readonly Ingress[]): IngressRoute | undefined {
  for (const ingress of served) {
    const backend = ingress.spec?.defaultBackend;
    if (backend) return { ingress, backend, at: 'spec.defaultBackend' };
  }
  return undefined;
}
