import { kind } from '../define/index.ts';
import { core } from '../groups.ts';
import { serviceAccountRules } from './serviceAccount.rules.ts';
import { tables } from '../parts/index.ts';
import { ServiceAccount } from './serviceAccount.ts';

export const serviceaccounts = kind(ServiceAccount, {
  group: core,
  kind: 'ServiceAccount',
  resource: 'serviceaccounts',
  shortNames: ['sa'],
  namespaced: true,
  returnsDeleted: true,
  rules: serviceAccountRules,
  doc: 'An identity for processes that run in pods.',
  versions: [{ version: 'v1', type: ServiceAccount }],
  subresources: [
    { name: 'token', kind: 'TokenRequest', group: 'authentication.{domain}', version: 'v1', verbs: ['create'] },
  ],
  columns: tables.of('serviceAccountColumns'),
});
