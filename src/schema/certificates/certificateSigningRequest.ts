import { always, boxed, bytes, kind, list, map, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { certificateSigningRequestColumns } from './columns.ts';
import { certificates } from '../groups.ts';
import { object } from '../meta/object.ts';
import { certificateSigningRequestRules } from './certificateSigningRequest.rules.ts';
import { defaultSignerName } from './signerName.ts';

export const CertificateSigningRequestSpec = struct('api.certificates.v1.CertificateSigningRequestSpec', {
  request: always(1, bytes, { list: 'atomic' }),
  extra: opt(6, map(boxed(string))),
  signerName: always(7, string),
  usages: opt(5, list(string), { list: 'atomic' }),
  username: opt(2, string),
  uid: opt(3, string),
  groups: opt(4, list(string), { list: 'atomic' }),
});
export type CertificateSigningRequestSpec = Infer<typeof CertificateSigningRequestSpec>;

export const CertificateSigningRequestCondition = struct('api.certificates.v1.CertificateSigningRequestCondition', {
  type: always(1, string),
  reason: opt(2, string),
  message: opt(3, string),
  lastUpdateTime: opt(4, time),
  lastTransitionTime: opt(5, time),
  status: always(6, string),
});
export type CertificateSigningRequestCondition = Infer<typeof CertificateSigningRequestCondition>;

export const CertificateSigningRequestStatus = struct('api.certificates.v1.CertificateSigningRequestStatus', {
  conditions: opt(1, list(CertificateSigningRequestCondition), { list: 'map', keys: ['type'] }),
  certificate: opt(2, bytes, { list: 'atomic' }),
});
export type CertificateSigningRequestStatus = Infer<typeof CertificateSigningRequestStatus>;

export const CertificateSigningRequest = object('api.certificates.v1.CertificateSigningRequest', {
  spec: always(2, CertificateSigningRequestSpec),
  status: opt(3, CertificateSigningRequestStatus),
});
export type CertificateSigningRequest = Infer<typeof CertificateSigningRequest>;

export const CertificateSigningRequestSpecV1beta1 = struct(
  'api.certificates.v1beta1.CertificateSigningRequestSpec',
  {
    request: always(1, bytes, { list: 'atomic' }),
    extra: opt(6, map(boxed(string))),
    signerName: ptr(7, string),
    // No usages at all get defaults, an empty list is a mistake: so this list is kept even when it is empty.
    usages: ptr(5, list(string), { list: 'atomic' }),
    username: opt(2, string),
    uid: opt(3, string),
    groups: opt(4, list(string), { list: 'atomic' }),
  },
  {
    defaults(spec, { fill }) {
      spec.usages ??= ['digital signature', 'key encipherment'];
      spec.signerName ??= fill(defaultSignerName(spec.request ?? '', spec.usages));
    },
  },
);
export type CertificateSigningRequestSpecV1beta1 = Infer<typeof CertificateSigningRequestSpecV1beta1>;

export const CertificateSigningRequestConditionV1beta1 = struct(
  'api.certificates.v1beta1.CertificateSigningRequestCondition',
  {
    type: always(1, string),
    reason: opt(2, string),
    message: opt(3, string),
    lastUpdateTime: opt(4, time),
    lastTransitionTime: opt(5, time),
    status: opt(6, string, { default: 'True' }),
  },
);
export type CertificateSigningRequestConditionV1beta1 = Infer<typeof CertificateSigningRequestConditionV1beta1>;

export const CertificateSigningRequestStatusV1beta1 = struct(
  'api.certificates.v1beta1.CertificateSigningRequestStatus',
  {
    conditions: opt(1, list(CertificateSigningRequestConditionV1beta1), { list: 'map', keys: ['type'] }),
    certificate: opt(2, bytes, { list: 'atomic' }),
  },
);
export type CertificateSigningRequestStatusV1beta1 = Infer<typeof CertificateSigningRequestStatusV1beta1>;

export const CertificateSigningRequestV1beta1 = object('api.certificates.v1beta1.CertificateSigningRequest', {
  spec: opt(2, CertificateSigningRequestSpecV1beta1),
  status: opt(3, CertificateSigningRequestStatusV1beta1),
});
export type CertificateSigningRequestV1beta1 = Infer<typeof CertificateSigningRequestV1beta1>;

export const certificatesigningrequests = kind(CertificateSigningRequest, {
  group: certificates,
  kind: 'CertificateSigningRequest',
  resource: 'certificatesigningrequests',
  shortNames: ['csr'],
  namespaced: false,
  doc: 'Asks a signer for a certificate; an approver and a signer answer through its subresources.',
  versions: [
    { version: 'v1', type: CertificateSigningRequest },
    {
      version: 'v1beta1',
      type: CertificateSigningRequestV1beta1,
      deprecated: { since: 'v1.19', removed: 'v1.22', replacement: 'certificates.{domain}/v1' },
    },
  ],
  status: true,
  rules: certificateSigningRequestRules,
  subresources: [{ name: 'approval', kind: 'CertificateSigningRequest', verbs: ['get', 'patch', 'update'] }],
  columns: certificateSigningRequestColumns,
  selectable: { 'spec.signerName': ({ spec }) => spec.signerName },
  selectableNamespace: false,
});
