/** `debug POD`: a container more in a pod that runs. */
import { pathOf, pods, type Pod } from '../../../client/index.ts';
import { StatusError, type objects } from '../../../schema/index.ts';
import { complaint } from '../../command/errors.ts';
import { debuggerName, newContainer, type DebugCall, type Debugged } from './options.ts';

/** The body of the subresource. */
interface Added {
  readonly ephemeralContainers?: readonly objects.EphemeralContainer[] | null;
}

/** Throws where the server has no ephemeral containers. */
export async function debugInPod(call: DebugCall, pod: Pod): Promise<Debugged> {
  const { client, flags: given } = call;
  const { namespace = '', name = '' } = pod.metadata;
  const path = pathOf(pods, client.names, namespace, name, 'ephemeralcontainers');
  const before = (await client.json(path).catch(explain)) as Added;
  const container = debuggerName(call);
  const added: objects.EphemeralContainer = {
    ...newContainer(call, container),
    ...(given.target === '' ? {} : { targetContainerName: given.target }),
  };
  const ephemeralContainers = [...(before.ephemeralContainers ?? []), added];
  try {
    await client.json(path, { method: 'PUT', body: { ...before, ephemeralContainers } });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw complaint(`error updating ephemeral containers: ${error.message}`);
  }
  return { pod, container };
}

/** The pod was just read, so it is the subresource that isn't there. */
function explain(error: unknown): never {
  if (!(error instanceof StatusError) || error.status.reason !== 'NotFound') throw error;
  throw complaint(
    `ephemeral containers are disabled for this cluster (error from server: ${JSON.stringify(error.message)}).`,
  );
}
