/** Preconditions of a write: the uid and the revision that its sender expects. */
import { field, rulesOf, status, type ApiObject, type Resource } from '../../schema/index.ts';

export const groupResource = (resource: Resource): { group: string; resource: string } => ({
  group: resource.gvr.group,
  resource: resource.gvr.resource,
});

export const OPTIMISTIC = 'the object has been modified; please apply your changes to the latest version and try again';

/** The reference answers an invalid revision with a bare 500. */
export function requireNumber(resourceVersion: string): void {
  if (resourceVersion !== '' && !/^\d+$/.test(resourceVersion))
    throw status.unexpected(`strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`);
}

/** Checks the expected uid; a missing object has none. */
export function checkUid(resource: Resource, name: string, meant: string | undefined, uid = ''): void {
  if (!meant || meant === uid) return;
  const why = `Precondition failed: UID in precondition: ${meant}, UID in object meta: ${uid}`;
  throw status.conflict(groupResource(resource), name, why);
}

/** Compares the revision that the client sent, before the object is modified, with that of the existing object. */
export function versionCheck(resource: Resource, { metadata }: ApiObject, existing: ApiObject): () => void {
  const { resourceVersion = '' } = metadata;
  return () => checkVersion(resource, resourceVersion, existing);
}

function checkVersion(resource: Resource, resourceVersion: string, existing: ApiObject): void {
  const name = existing.metadata.name ?? '';
  requireNumber(resourceVersion);
  if (resourceVersion === '' || /^0+$/.test(resourceVersion)) {
    if (rulesOf(resource.declaration)?.unconditionalUpdate !== false) return;
    const errors = [field.invalid('metadata.resourceVersion', 0, 'must be specified for an update')];
    throw status.invalid({ group: resource.gvr.group, kind: resource.gvr.resource }, name, errors);
  }
  if (BigInt(resourceVersion) !== BigInt(existing.metadata.resourceVersion ?? '0'))
    throw status.conflict(groupResource(resource), name, OPTIMISTIC);
}
