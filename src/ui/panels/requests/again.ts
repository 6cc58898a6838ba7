/** Sends a request once more, as whoever sent it first. */
import type { AccessUser } from '../../host.ts';
import { messageOf } from '../../stores/actions.ts';
import { identityOf, transportAs } from '../../stores/identity.ts';
import type { OpenedRequest } from '../../stores/requests.ts';
import { theCluster } from '../../stores/session.ts';
import { toast } from '../../parts/Toast.tsx';

/** Traces hide secrets: what came with such a request is not known here. */
const HIDDEN = '(hidden)';

/** Why a request can't be sent again from what the log has of it; undefined where it can. */
export function cannotSend({
  method,
  verb,
  bodies,
}: Pick<OpenedRequest, 'method' | 'verb' | 'bodies'>): string | undefined {
  if (verb === 'watch') return 'It was a watch, which cannot be sent again from here.';
  if (method === 'GET' || method === 'HEAD') return undefined;
  const sent = bodies.find((body) => body.of === 'request');
  if (method === 'DELETE' && sent === undefined) return undefined;
  if (sent?.text === undefined) return 'What came with it was not kept: send it again yourself.';
  return sent.text.includes(HIDDEN)
    ? 'It carried secrets, which the log does not keep: send it again yourself.'
    : undefined;
}

/** Tells how it went; never throws. */
export async function sendAgain(request: OpenedRequest, user: AccessUser): Promise<void> {
  const problem = cannotSend(request);
  if (problem !== undefined) return toast('changed', 'The request was not sent again.', problem);
  const { method, url, bodies } = request;
  const sent = bodies.find((body) => body.of === 'request');
  // What the server adds to everybody can't be claimed, and need not be.
  const groups = user.groups.filter((group) => group !== 'system:authenticated' && group !== 'system:unauthenticated');
  const init: RequestInit = {
    method,
    ...(sent?.text === undefined ? {} : { body: sent.text, headers: { 'content-type': sent.contentType } }),
  };
  try {
    const identity = identityOf(user.name, groups);
    const response = await transportAs(theCluster().cluster.transport, identity)(
      url.replace(/^https?:\/\/[^/]+/, ''),
      init,
    );
    await response.body?.cancel();
    const fine = response.ok ? 'allowed' : response.status === 403 ? 'denied' : 'failed';
    toast(fine, `${user.name}’s request ran again: ${response.status}.`);
  } catch (error) {
    toast('failed', 'The request was not sent again.', messageOf(error));
  }
}
