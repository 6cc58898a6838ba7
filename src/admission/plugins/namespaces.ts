/** Helpers for plugins that check namespaces. */
import { status, type ApiObject } from '../../schema/index.ts';
import type { AdmissionAttributes, PluginDeps } from '../types.ts';

export const NAMESPACES = { group: '', resource: 'namespaces' } as const;

/** Whether a request is for an object inside a namespace and not for the namespace. */
export const isInNamespace = ({ namespace, kind }: AdmissionAttributes): boolean =>
  namespace !== '' && !(kind.group === '' && kind.kind === 'Namespace');

/** The request's namespace; throws 404 if it is missing. */
export function namespaceOf({ namespace }: AdmissionAttributes, { get }: PluginDeps): ApiObject {
  const found = get(NAMESPACES, '', namespace);
  if (!found) throw status.notFound(NAMESPACES, namespace);
  return found;
}
