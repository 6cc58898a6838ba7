import { bool, list, opt, ptr } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';
import { LocalObjectReference, ObjectReference } from './references.ts';

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
