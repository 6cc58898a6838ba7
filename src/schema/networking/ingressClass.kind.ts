import { atVersion, kind } from '../define/index.ts';
import { networking } from '../groups.ts';
import { policies, tables } from '../parts/index.ts';
import { IngressClass } from './ingressClass.ts';

export const ingressclasses = kind(IngressClass, {
  group: networking,
  kind: 'IngressClass',
  resource: 'ingressclasses',
  namespaced: false,
  doc: 'Names the controller that serves the ingresses of a class.',
  versions: [
    { version: 'v1', type: IngressClass },
    {
      version: 'v1beta1',
      type: atVersion(IngressClass, 'v1beta1'),
      deprecated: { since: 'v1.19', removed: 'v1.22', replacement: 'networking.{domain}/v1' },
    },
  ],
  storedAs: 'v1beta1',
  rules: policies.of('ingressClassRules'),
  columns: tables.of('ingressClassColumns'),
});
