/**
 * CertificateApproval, CertificateSigning, CertificateSubjectRestriction: who may approve and sign, and which subjects
 * are forbidden.
 */
import { pemBodies, readSigningRequest } from '../../authn/index.ts';
import type { objects } from '../../schema/index.ts';
import { decodeText, deepEqual, fromBase64 } from '../../std/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { refusalOf } from './allowed.ts';
import { refuse } from './refuse.ts';

type SigningRequest = objects.CertificateSigningRequest;

const isSigningRequest = ({ resource }: AdmissionAttributes, { names }: PluginDeps): boolean =>
  resource.group === names.fill('certificates.{domain}') && resource.resource === 'certificatesigningrequests';

/** Runs a check for writes of signing requests or one subresource; skips all others synchronously. */
const onSigningRequest =
  (subresource: string, deps: PluginDeps, check: (attributes: AdmissionAttributes) => Promise<void>) =>
  (attributes: AdmissionAttributes): Promise<void> | undefined =>
    attributes.subresource === subresource && isSigningRequest(attributes, deps) ? check(attributes) : undefined;

const signerOf = (request: SigningRequest): string => request.spec.signerName ?? '';

/** Whether the user has `verb` on the signer or on all signers of its domain. */
async function mayUse({ user }: AdmissionAttributes, deps: PluginDeps, verb: string, signer: string): Promise<boolean> {
  const group = deps.names.fill('certificates.{domain}');
  for (const name of [signer, `${signer.split('/')[0] ?? ''}/*`]) {
    if ((await refusalOf({ user, verb, group, resource: 'signers', name }, deps)) === undefined) return true;
  }
  return false;
}

export const certificateApproval: PluginDeclaration = {
  name: 'CertificateApproval',
  on: true,
  create: (deps) => ({
    name: 'CertificateApproval',
    handles: (operation) => operation === 'UPDATE',
    validate: onSigningRequest('approval', deps, async (attributes) => {
      const signer = signerOf(attributes.oldObject as SigningRequest);
      if (!(await mayUse(attributes, deps, 'approve', signer)))
        throw refuse(attributes, `user not permitted to approve requests with signerName ${JSON.stringify(signer)}`);
    }),
  }),
};

export const certificateSigning: PluginDeclaration = {
  name: 'CertificateSigning',
  on: true,
  create: (deps) => ({
    name: 'CertificateSigning',
    handles: (operation) => operation === 'UPDATE',
    validate: onSigningRequest('status', deps, async (attributes) => {
      const old = attributes.oldObject as SigningRequest;
      const next = attributes.object as SigningRequest;
      // A write that changes neither the certificate nor the conditions does not sign.
      if (
        old.status?.certificate === next.status?.certificate &&
        deepEqual(old.status?.conditions ?? [], next.status?.conditions ?? [])
      )
        return;
      const signer = signerOf(old);
      if (!(await mayUse(attributes, deps, 'sign', signer)))
        throw refuse(attributes, `user not permitted to sign requests with signerName ${JSON.stringify(signer)}`);
    }),
  }),
};

export const certificateSubjectRestriction: PluginDeclaration = {
  name: 'CertificateSubjectRestriction',
  on: true,
  create: (deps) => ({
    name: 'CertificateSubjectRestriction',
    handles: (operation) => operation === 'CREATE',
    validate: onSigningRequest('', deps, async (attributes) => {
      const { spec } = attributes.object as SigningRequest;
      if (spec.signerName !== deps.names.fill('{label}/{prefix}-apiserver-client')) return;
      const groups = await organizationsOf(spec.request ?? '', attributes);
      if (groups.includes('system:masters'))
        throw refuse(attributes, `use of ${spec.signerName} signer with system:masters group is not allowed`);
    }),
  }),
};

async function organizationsOf(request: string, attributes: AdmissionAttributes): Promise<readonly string[]> {
  try {
    return (await readSigningRequest(derOf(request))).organizations;
  } catch {
    throw refuse(attributes, 'failed to parse CSR');
  }
}

/** The first PEM block of a `request` field. */
function derOf(request: string): Uint8Array {
  const [body] = pemBodies(decodeText(fromBase64(request) ?? new Uint8Array()), 'CERTIFICATE REQUEST');
  if (!body) throw new Error('there is no CERTIFICATE REQUEST block');
  return body;
}
