/** Requests for certificates: who asks, for which subject. */
import { certificateSigningRequests, type CertificateSigningRequest } from '../../client/index.ts';
import { parseSigningRequest, type RequestedSubject } from '../../schema/index.ts';
import { complaint } from '../command/errors.ts';
import { describer } from './describer.ts';
import { field, given, labelsInLine, longTime, nameAlone, type Line } from './lines.ts';

export const certificateDescriber = describer(certificateSigningRequests, (request) => {
  const { metadata, spec } = request;
  const subject = parseSigningRequest(spec.request);
  if (!subject) throw complaint('Error parsing CSR: PEM block type must be CERTIFICATE REQUEST');
  return [
    nameAlone(request),
    field('Labels', labelsInLine(metadata.labels)),
    field('Annotations', labelsInLine(metadata.annotations)),
    field('CreationTimestamp', longTime(metadata.creationTimestamp)),
    field('Requesting User', spec.username ?? ''),
    ...given('Signer', spec.signerName),
    field('Status', statusOf(request)),
    'Subject:',
    ...subjectLines(subject),
  ];
});

function statusOf({ status }: CertificateSigningRequest): string {
  const types = (status.conditions ?? []).map(({ type }) => type);
  const decided = types.includes('Denied') ? 'Denied' : types.includes('Approved') ? 'Approved' : 'Pending';
  return `${decided}${types.includes('Failed') ? ',Failed' : ''}${status.certificate ? ',Issued' : ''}`;
}

function subjectLines(subject: RequestedSubject): readonly Line[] {
  const alternatives = [
    ...listed('DNS Names', subject.dnsNames),
    ...listed('Email Addresses', subject.emailAddresses),
    ...listed('URIs', subject.uris),
    ...listed('IP Addresses', subject.ipAddresses),
  ];
  return [
    `\t${field('Common Name', subject.commonName)}`,
    `\t${field('Serial Number', subject.serialNumber)}`,
    ...listed('Organization', subject.organizations),
    ...listed('Organizational Unit', subject.organizationalUnits),
    ...listed('Country', subject.countries),
    ...listed('Locality', subject.localities),
    ...listed('Province', subject.provinces),
    ...listed('StreetAddress', subject.streets),
    ...listed('PostalCode', subject.postalCodes),
    ...(alternatives.length === 0 ? [] : ['Subject Alternative Names:', ...alternatives]),
  ];
}

const listed = (title: string, values: readonly string[]): readonly Line[] =>
  values.map((value, i) => (i === 0 ? `\t${field(title, value)}` : `\t\t${value}`));
