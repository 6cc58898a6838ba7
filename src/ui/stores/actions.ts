/** What a person does to objects. Every action is one request (or says which), and reports how it went. */
import { StatusError, type ApiObject } from '../../schema/index.ts';
import type { DeleteOptions } from '../../client/index.ts';
import { toast } from '../parts/Toast.tsx';
import { theClient } from './clients.ts';
import type { ObjectRef } from './resources.ts';

/** What to say of a failure: the server's own message where it gave one. */
export function messageOf(error: unknown): string {
  if (error instanceof StatusError) return error.status.message ?? error.status.reason ?? `status ${error.status.code}`;
  return error instanceof Error ? error.message : String(error);
}

const titleOf = ({ resource, name }: ObjectRef): string => `${resource.kind} ${name}`;

/** Runs an action; returns whether it succeeded. A refusal is shown in the server's words; success where there is a sentence for it. */
export async function attempt(
  done: string | undefined,
  failed: string,
  work: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work();
    if (done !== undefined) toast('allowed', done);
    return true;
  } catch (error) {
    const denied = error instanceof StatusError && [401, 403].includes(error.status.code);
    toast(denied ? 'denied' : 'failed', failed, messageOf(error));
    return false;
  }
}

const targetOf = ({ namespace, name }: ObjectRef): { metadata: { name: string; namespace?: string } } => ({
  metadata: { name, ...(namespace ? { namespace } : {}) },
});

/** Deletes an object. */
export function deleteObject(ref: ObjectRef, options: DeleteOptions): Promise<boolean> {
  const done =
    options.propagationPolicy === 'Foreground'
      ? `${titleOf(ref)} is being deleted, its dependants first.`
      : `The server accepted the deletion of ${titleOf(ref)}.`;
  return attempt(done, `${titleOf(ref)} was not deleted.`, () =>
    theClient().of(ref.resource).delete(targetOf(ref), options),
  );
}

/** Sets the number of replicas through the scale subresource. */
export function scaleObject(ref: ObjectRef, replicas: number): Promise<boolean> {
  const patch = { spec: { replicas } };
  return attempt(`${titleOf(ref)} was scaled to ${replicas}.`, `${titleOf(ref)} was not scaled.`, () =>
    theClient().of(ref.resource).patch(targetOf(ref), 'merge', patch, { subresource: 'scale' }),
  );
}

/** The object as the server has it now. */
export function readObject(ref: ObjectRef): Promise<ApiObject> {
  return theClient().of(ref.resource).get(ref.name, ref.namespace);
}
