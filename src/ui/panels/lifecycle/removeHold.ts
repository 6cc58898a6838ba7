/** The request by which a person takes away what holds an object. */
import type { KnownObject, Wait } from '../../../explain/index.ts';
import { pathTo, type ObjectRef } from '../../stores/resources.ts';
import type { Write } from '../../stores/writes.ts';

export function holdRemoval(target: ObjectRef, object: KnownObject, { byHand, finalizer }: Wait): Write {
  const { resource, namespace, name } = target;
  return {
    label: 'Remove',
    done: `${finalizer} was removed from ${name}.`,
    failed: `${finalizer} was not removed.`,
    send: async (client) => {
      if (!byHand) return;
      const objects = client.of(resource);
      const at = { metadata: { name, ...(namespace ? { namespace } : {}) } };
      // The revision guards what others wrote meanwhile.
      const { resourceVersion } = object.metadata;
      if (byHand.subresource === '')
        await objects.patch(at, 'merge', { metadata: { resourceVersion, finalizers: byHand.finalizers } });
      else await objects.update({ ...object, spec: { finalizers: byHand.finalizers } }, { subresource: 'finalize' });
    },
  };
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
