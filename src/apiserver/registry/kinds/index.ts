/** The kinds that do more than the generic store does; a file each. */
import type { KindFile } from '../registry.ts';
import { accessReviews } from './accessReviews.ts';
import { componentStatuses } from './componentStatuses.ts';
import { definitions } from './definitions.ts';
import { namespaces } from './namespaces.ts';
import { nodes } from './nodes.ts';
import { bindings, pods } from './pods.ts';
import { rbacKinds } from './rbac.ts';
import { serviceAccounts } from './serviceAccounts.ts';
import { services } from './services.ts';
import { signingRequests } from './signingRequests.ts';
import { tokenReviews } from './tokenReviews.ts';

export const kindFiles: readonly KindFile[] = [
  bindings,
  componentStatuses,
  definitions,
  namespaces,
  nodes,
  pods,
  services,
  serviceAccounts,
  tokenReviews,
  signingRequests,
  ...accessReviews,
  ...rbacKinds,
];
