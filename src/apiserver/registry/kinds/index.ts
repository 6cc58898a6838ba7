/**
 * Kinds with behaviour beyond the generic store, one file each. Those that a new cluster does not use are loaded as a
 * part.
 */
import { parts } from '../../../schema/index.ts';
import { Part } from '../../../std/index.ts';
import { definitionServing } from '../../extensions/serving.ts';
import type { KindEntry } from '../registry.ts';
import { componentStatuses } from './componentStatuses.ts';
import { namespaces } from './namespaces.ts';
import { rbacKinds } from './rbac.ts';
import { services } from './services.ts';

const later = new Part(() => import('./later.ts'));

export const kindParts = [later] as const;

export const kindFiles: readonly KindEntry[] = [
  // A binding changes the pod that it names.
  { resource: 'bindings', file: later.of('bindings'), needs: [parts.workloads] },
  componentStatuses,
  {
    resource: 'customresourcedefinitions.apiextensions.{domain}',
    file: later.of('definitions'),
    needs: [definitionServing],
  },
  namespaces,
  { resource: 'nodes', file: later.of('nodes'), subresourcesOnly: true },
  { resource: 'pods', file: later.of('pods'), subresourcesOnly: true },
  services,
  { resource: 'serviceaccounts', file: later.of('serviceAccounts'), subresourcesOnly: true },
  { resource: 'tokenreviews.authentication.{domain}', file: later.of('tokenReviews') },
  { resource: 'certificatesigningrequests.certificates.{domain}', file: later.of('signingRequests') },
  { resource: 'subjectaccessreviews.authorization.{domain}', file: later.of('subjectReviews') },
  { resource: 'selfsubjectaccessreviews.authorization.{domain}', file: later.of('selfReviews') },
  { resource: 'localsubjectaccessreviews.authorization.{domain}', file: later.of('localReviews') },
  { resource: 'selfsubjectrulesreviews.authorization.{domain}', file: later.of('rulesReviews') },
  ...rbacKinds,
];
