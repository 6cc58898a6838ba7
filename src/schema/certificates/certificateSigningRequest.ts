import { always, boxed, bytes, list, map, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';
import { defaultSignerName } from './signerName.ts';

export const CertificateSigningRequestSpec = struct('api.certificates.v1.CertificateSigningRequestSpec', {
  request: always(1, bytes, { list: 'atomic', doc: 'The request: PKCS#10 in PEM, in base64.' }),
  signerName: always(7, string, { doc: 'Who is to sign, as `domain/path`.' }),
  usages: opt(5, list(string), { list: 'atomic', doc: 'What the certificate is to be used for.' }),
  username: opt(2, string, { doc: 'Who asks; the server fills it in.' }),
  uid: opt(3, string, { doc: 'Identity of who asks; the server fills it in.' }),
  groups: opt(4, list(string), { list: 'atomic', doc: 'Groups of who asks; the server fills them in.' }),
  extra: opt(6, map(boxed(string)), { doc: 'What else is known of who asks; the server fills it in.' }),
});
export type CertificateSigningRequestSpec = Infer<typeof CertificateSigningRequestSpec>;

export const CertificateSigningRequestCondition = struct('api.certificates.v1.CertificateSigningRequestCondition', {
  type: always(1, string, { doc: '`Approved`, `Denied` or `Failed`.' }),
  status: always(6, string, { doc: '`True`, `False` or `Unknown`; approval and denial are always true.' }),
  reason: opt(2, string, { doc: 'Why, in one word.' }),
  message: opt(3, string, { doc: 'Why, in words.' }),
  lastUpdateTime: opt(4, time, { doc: 'When the condition was last written.' }),
  lastTransitionTime: opt(5, time, { doc: 'When the status last changed.' }),
});
export type CertificateSigningRequestCondition = Infer<typeof CertificateSigningRequestCondition>;

export const CertificateSigningRequestStatus = struct('api.certificates.v1.CertificateSigningRequestStatus', {
  conditions: opt(1, list(CertificateSigningRequestCondition), {
    list: 'map',
    keys: ['type'],
    doc: 'Whether the request was approved, denied, or has failed.',
  }),
  certificate: opt(2, bytes, { list: 'atomic', doc: 'The certificate, once it is signed: PEM blocks, in base64.' }),
});
export type CertificateSigningRequestStatus = Infer<typeof CertificateSigningRequestStatus>;

export const CertificateSigningRequest = object('api.certificates.v1.CertificateSigningRequest', {
  spec: always(2, CertificateSigningRequestSpec, { doc: 'Who asks whom for which certificate. It cannot be changed.' }),
  status: opt(3, CertificateSigningRequestStatus, { doc: 'What has become of the request.' }),
});
export type CertificateSigningRequest = Infer<typeof CertificateSigningRequest>;

export const CertificateSigningRequestSpecV1beta1 = struct(
  'api.certificates.v1beta1.CertificateSigningRequestSpec',
  {
    request: always(1, bytes, { list: 'atomic', doc: 'The request: PKCS#10 in PEM, in base64.' }),
    signerName: ptr(7, string, { doc: 'Who is to sign, as `domain/path`.' }),
    // No usages at all get defaults, an empty list is a mistake: so this list is kept even when it is empty.
    usages: ptr(5, list(string), { list: 'atomic', doc: 'What the certificate is to be used for.' }),
    username: opt(2, string, { doc: 'Who asks; the server fills it in.' }),
    uid: opt(3, string, { doc: 'Identity of who asks; the server fills it in.' }),
    groups: opt(4, list(string), { list: 'atomic', doc: 'Groups of who asks; the server fills them in.' }),
    extra: opt(6, map(boxed(string)), { doc: 'What else is known of who asks; the server fills it in.' }),
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
    type: always(1, string, { doc: '`Approved`, `Denied` or `Failed`.' }),
    status: opt(6, string, {
      default: 'True',
      doc: '`True`, `False` or `Unknown`; approval and denial are always true.',
    }),
    reason: opt(2, string, { doc: 'Why, in one word.' }),
    message: opt(3, string, { doc: 'Why, in words.' }),
    lastUpdateTime: opt(4, time, { doc: 'When the condition was last written.' }),
    lastTransitionTime: opt(5, time, { doc: 'When the status last changed.' }),
  },
);
export type CertificateSigningRequestConditionV1beta1 = Infer<typeof CertificateSigningRequestConditionV1beta1>;

export const CertificateSigningRequestStatusV1beta1 = struct(
  'api.certificates.v1beta1.CertificateSigningRequestStatus',
  {
    conditions: opt(1, list(CertificateSigningRequestConditionV1beta1), {
      list: 'map',
      keys: ['type'],
      doc: 'Whether the request was approved, denied, or has failed.',
    }),
    certificate: opt(2, bytes, { list: 'atomic', doc: 'The certificate, once it is signed: PEM blocks, in base64.' }),
  },
);
export type CertificateSigningRequestStatusV1beta1 = Infer<typeof CertificateSigningRequestStatusV1beta1>;

export const CertificateSigningRequestV1beta1 = object('api.certificates.v1beta1.CertificateSigningRequest', {
  spec: opt(2, CertificateSigningRequestSpecV1beta1, {
    doc: 'Who asks whom for which certificate. It cannot be changed.',
  }),
  status: opt(3, CertificateSigningRequestStatusV1beta1, { doc: 'What has become of the request.' }),
});
export type CertificateSigningRequestV1beta1 = Infer<typeof CertificateSigningRequestV1beta1>;
