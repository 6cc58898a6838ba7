import { inPackage, kind } from '../define/index.ts';
import { extensions, networking } from '../groups.ts';
import { toBetaFromHub, toHubFromBeta } from './ingress.convert.ts';
import { policies, tables } from '../parts/index.ts';
import { Ingress, IngressV1beta1 } from './ingress.ts';

export const ingresses = kind(Ingress, {
  group: networking,
  kind: 'Ingress',
  resource: 'ingresses',
  // These kinds came from the extensions group, which their errors still name.
  errorGroup: 'extensions',
  shortNames: ['ing'],
  namespaced: true,
  doc: 'Rules that lead requests from outside to services, by host and path.',
  versions: [
    { version: 'v1', type: Ingress },
    {
      version: 'v1beta1',
      type: IngressV1beta1,
      toHub: toHubFromBeta,
      fromHub: toBetaFromHub,
      deprecated: { since: 'v1.19', removed: 'v1.22', replacement: 'networking.{domain}/v1' },
    },
    {
      version: 'v1beta1',
      group: extensions,
      type: inPackage(IngressV1beta1, 'api.extensions.v1beta1'),
      toHub: toHubFromBeta,
      fromHub: toBetaFromHub,
      deprecated: { since: 'v1.14', removed: 'v1.22', replacement: 'networking.{domain}/v1' },
    },
  ],
  storedAs: 'v1beta1',
  rules: policies.of('ingressRules'),
  status: true,
  columns: tables.of('ingressColumns'),
});
