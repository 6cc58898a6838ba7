/** Columns of signing requests. */
import type { Column } from '../define/index.ts';
import { age, name, text } from '../meta/columns.ts';
import type { CertificateSigningRequest } from './certificateSigningRequest.ts';

export const certificateSigningRequestColumns: readonly Column<CertificateSigningRequest>[] = [
  name,
  age,
  text('SignerName', 'Signer that is asked.', ({ spec }) => spec.signerName || '<none>'),
  text('Requestor', 'Who asks.', ({ spec }) => spec.username ?? ''),
  text('Condition', 'What has become of the request.', condition),
];

function condition({ status }: CertificateSigningRequest): string {
  const has = (type: string): boolean => status.conditions?.some((candidate) => candidate.type === type) ?? false;
  const verdict = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return [verdict, ...(has('Failed') ? ['Failed'] : []), ...(status.certificate ? ['Issued'] : [])].join(',');
}
