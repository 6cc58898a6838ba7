import { bool, kind, list, opt, ptr } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { core } from '../groups.ts';
import { object } from '../meta/object.ts';
import { LocalObjectReference, ObjectReference } from './references.ts';
import { serviceAccountRules } from './serviceAccount.rules.ts';
import { tables } from '../parts/index.ts';

export const ServiceAccount = object('api.core.v1.ServiceAccount', {
  secrets: opt(2, list(ObjectReference), {
    mergeKey: 'name',
    strategy: 'merge',
    doc: 'Secrets that belong to the account: its tokens.',
  }),
  imagePullSecrets: opt(3, list(LocalObjectReference), {
    doc: 'Secrets for fetching images, copied to pods that name none.',
  }),
  automountServiceAccountToken: ptr(4, bool, {
    doc: "Whether pods get the account's token, unless they say otherwise.",
  }),
});
export type ServiceAccount = Infer<typeof ServiceAccount>;

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
