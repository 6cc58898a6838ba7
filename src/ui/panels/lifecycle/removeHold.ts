/** The request by which a person takes away what holds an object. */
import type { KnownObject, Wait } from '../../../explain/index.ts';
import { attempt } from '../../stores/actions.ts';
import { theClient } from '../../stores/clients.ts';
import { pathTo, type ObjectRef } from '../../stores/resources.ts';

/** Sends it; returns whether the server accepted it. */
export function removeHold(target: ObjectRef, object: KnownObject, { byHand, finalizer }: Wait): Promise<boolean> {
  const { resource, namespace, name } = target;
  return attempt(`${finalizer} was removed from ${name}.`, `${finalizer} was not removed.`, async () => {
    if (!byHand) return;
    const client = theClient().of(resource);
    const at = { metadata: { name, ...(namespace ? { namespace } : {}) } };
    // The revision guards what others wrote meanwhile.
    const { resourceVersion } = object.metadata;
    if (byHand.subresource === '')
      await client.patch(at, 'merge', { metadata: { resourceVersion, finalizers: byHand.finalizers } });
    else await client.update({ ...object, spec: { finalizers: byHand.finalizers } }, { subresource: 'finalize' });
  });
}

/** The same as text. */
export function requestText({ resource, namespace, name }: ObjectRef, { byHand }: Wait): string {
  if (!byHand) return '';
  const path = pathTo(resource, namespace, name, byHand.subresource);
  const finalizers = JSON.stringify(byHand.finalizers);
  return byHand.subresource === ''
    ? `PATCH ${path}\nContent-Type: application/merge-patch+json\n\n{"metadata":{"finalizers":${finalizers}}}`
    : `PUT ${path}\n\n{…, "spec":{"finalizers":${finalizers}}}`;
}
