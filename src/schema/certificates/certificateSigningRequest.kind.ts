import { kind } from '../define/index.ts';
import { certificates } from '../groups.ts';
import { policies, tables } from '../parts/index.ts';
import { CertificateSigningRequest, CertificateSigningRequestV1beta1 } from './certificateSigningRequest.ts';

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
  storedAs: 'v1beta1',
  status: true,
  rules: policies.of('certificateSigningRequestRules'),
  subresources: [{ name: 'approval', kind: 'CertificateSigningRequest', verbs: ['get', 'patch', 'update'] }],
  columns: tables.of('certificateSigningRequestColumns'),
  selectable: { 'spec.signerName': ({ spec }) => spec.signerName },
  selectableNamespace: false,
});
