/** The resources that affect routing, and the handlers that update a view from them. */
import type { NetworkObjects, NetworkResource, NetworkView } from './view.ts';

const resource = <R extends NetworkResource>(
  group: string,
  version: string,
  name: R,
  kind: string,
  namespaced: boolean,
) => ({ group, version, resource: name, kind, namespaced });

/** The resources that a network watches; groups are templates of the naming profile. */
export const networkResources = [
  resource('', 'v1', 'namespaces', 'Namespace', false),
  resource('', 'v1', 'nodes', 'Node', false),
  resource('', 'v1', 'pods', 'Pod', true),
  resource('', 'v1', 'services', 'Service', true),
  resource('discovery.{domain}', 'v1beta1', 'endpointslices', 'EndpointSlice', true),
  resource('networking.{domain}', 'v1', 'networkpolicies', 'NetworkPolicy', true),
  resource('networking.{domain}', 'v1', 'ingresses', 'Ingress', true),
  resource('networking.{domain}', 'v1', 'ingressclasses', 'IngressClass', false),
] as const;

/** The event handler of a resource's informer that updates the view. `changed` is called after each change. */
export function viewHandler(
  view: NetworkView,
  name: NetworkResource,
  changed: () => void = () => undefined,
): Record<'added' | 'changed' | 'deleted', (object: object) => void> {
  // The server only sends objects of the requested kind.
  const take = (object: object): void => {
    view.set(name, object as NetworkObjects[typeof name]);
    changed();
  };
  const drop = (object: object): void => {
    view.remove(name, object as NetworkObjects[typeof name]);
    changed();
  };
  return { added: take, changed: take, deleted: drop };
}
