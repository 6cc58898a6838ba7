/** NamespaceLifecycle: refuses creates in a missing or terminating namespace, and deletes of system namespaces. */
import { status } from '../../schema/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { NAMESPACES, namespaceOf } from './namespaces.ts';
import { refuse } from './refuse.ts';

export const namespaceLifecycle: PluginDeclaration = {
  name: 'NamespaceLifecycle',
  on: true,
  create: (deps) => ({
    name: 'NamespaceLifecycle',
    handles: (operation) => operation !== 'CONNECT',
    admit: (attributes) => check(attributes, deps),
    changesAtOnce: () => false,
  }),
};

function check(attributes: AdmissionAttributes, deps: PluginDeps): void {
  const { operation, resource, namespace, name } = attributes;
  const isNamespace = resource.group === '' && resource.resource === 'namespaces';
  if (isNamespace && operation === 'DELETE' && immortal(deps, name))
    throw status.forbidden(NAMESPACES, name, 'this namespace may not be deleted');
  if (isNamespace || namespace === '' || operation === 'DELETE' || isAccessReview(attributes, deps)) return;
  const found = namespaceOf(attributes, deps);
  if (operation !== 'CREATE') return;
  const { phase } = (found['status'] ?? {}) as { phase?: string };
  if (phase === 'Terminating') throw terminating(attributes);
}

const immortal = ({ names }: PluginDeps, name: string): boolean =>
  ['default', names.systemNamespace, names.publicNamespace].includes(name);

/** Access reviews may be about a missing namespace. */
const isAccessReview = ({ resource }: AdmissionAttributes, { names }: PluginDeps): boolean =>
  resource.group === names.fill('authorization.{domain}') && resource.resource === 'localsubjectaccessreviews';

function terminating(attributes: AdmissionAttributes): Error {
  const message = `unable to create new content in namespace ${attributes.namespace} because it is being terminated`;
  const error = refuse(attributes, message);
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${attributes.namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return new status.StatusError({ ...error.status, details: { ...error.status.details, causes: [cause] } });
}
