/** What plugins that look at namespaces share. */
import { status, type ApiObject } from '../../schema/index.ts';
import type { AdmissionAttributes, PluginDeps } from '../types.ts';

export const NAMESPACES = { group: '', resource: 'namespaces' } as const;

/** Whether a request is about something inside a namespace, not about the namespace itself. */
export const isInNamespace = ({ namespace, kind }: AdmissionAttributes): boolean =>
  namespace !== '' && !(kind.group === '' && kind.kind === 'Namespace');

/** The request's namespace; throws 404 where there is none. */
export function namespaceOf({ namespace }: AdmissionAttributes, { get }: PluginDeps): ApiObject {
  const found = get(NAMESPACES, '', namespace);
  if (!found) throw status.notFound(NAMESPACES, namespace);
  return found;
}
