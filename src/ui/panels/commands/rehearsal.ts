/** The command lines that do what a write does: it is run with a client that notes its requests in place of sending them. */
import { Client, type Transport } from '../../../client/index.ts';
import { isObject } from '../../../std/index.ts';
import { OBSERVER_AGENT } from '../../stores/clients.ts';
import { transportAs, useIdentity } from '../../stores/identity.ts';
import { isRead } from '../../stores/readOnly.ts';
import { useResources } from '../../stores/resources.ts';
import { theCluster } from '../../stores/session.ts';
import type { Write } from '../../stores/writes.ts';
import { commandOf, type SentRequest } from './commandOf.ts';

/** What it needs to know is read from the cluster; nothing is written. Rejects where the write could not even be made. */
export async function commandsOf(write: Write | Required<Pick<Write, 'commands'>>): Promise<readonly string[]> {
  if (!('send' in write) || write.commands) return write.commands?.() ?? [];
  const { send, as } = write;
  const { cluster, names } = theCluster();
  const noted: SentRequest[] = [];
  const reading = transportAs(cluster.transport, as ?? useIdentity.getState().current);
  await send(new Client({ transport: noting(reading, noted), names, userAgent: OBSERVER_AGENT }));
  return noted.map((sent) => commandOf(sent, names.ctl, useResources.getState().versions));
}

/** Sends what only reads, and notes the rest. */
function noting(transport: Transport, noted: SentRequest[]): Transport {
  return async (path, init) => {
    const method = init?.method ?? 'GET';
    if (isRead(path, method)) return transport(path, init);
    const body = typeof init?.body === 'string' ? init.body : '';
    // What the server is only asked to try leaves nothing.
    if (!/[?&]dryRun=/.test(path)) {
      const contentType = new Headers(init?.headers).get('content-type') ?? '';
      noted.push({ method, path, contentType, body });
    }
    return Response.json(accepted(body));
  };
}

/** What is sent, as the server would give it back. */
function accepted(body: string): unknown {
  const sent: unknown = body === '' ? {} : JSON.parse(body);
  const object = isObject(sent) ? sent : {};
  return { ...object, metadata: isObject(object['metadata']) ? object['metadata'] : {} };
}
