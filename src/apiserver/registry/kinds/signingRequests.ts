/** Signing requests have to be signed with their own key; the signature is verified here. */
import { decodePem, readSigningRequest } from '../../../authn/index.ts';
import { meta, status, type ApiObject } from '../../../schema/index.ts';
import { clone, decodeText, fromBase64, isObject } from '../../../std/index.ts';
import { ruleContext } from '../../context.ts';
import type { ResourceContext } from '../registry.ts';
import type { KindFile } from '../registry.ts';

export const signingRequests: KindFile = {
  resource: 'certificatesigningrequests.certificates.{domain}',
  behaviour: { guard },
};

/** A request with an invalid signature is refused like an unreadable one, along with its other errors. */
async function guard(object: ApiObject, old: ApiObject | undefined, context: ResourceContext): Promise<void> {
  const { server, info } = context;
  if (old || (await isProven(object))) return;
  const resource = server.scheme.byResource({ group: info.group, version: info.version, resource: info.resource });
  if (!resource || !isObject(object.spec)) return;
  const unread = clone(object);
  unread.spec = { ...object.spec, request: '' };
  unread.metadata.name ||= `${unread.metadata.generateName ?? ''}x`;
  const errors = meta.checkCreate(resource, unread, ruleContext(context));
  throw status.invalid(resource.gvk, object.metadata.name ?? '', errors);
}

/** Whether there is nothing to verify yet, or the signature is valid. Unreadable requests are left to the rules. */
async function isProven({ spec }: ApiObject): Promise<boolean> {
  const pem = isObject(spec) && typeof spec.request === 'string' ? fromBase64(spec.request) : undefined;
  const [block] = pem ? decodePem(decodeText(pem)) : [];
  if (block?.type !== 'CERTIFICATE REQUEST') return true;
  try {
    return await (await readSigningRequest(block.der)).request.verify();
  } catch {
    return false;
  }
}
