import { kubeconfigOf } from '../kubeconfig.ts';
import type { ServedCluster } from '../served/messages.ts';
import type { ClientFiles } from '../worker/bridge.ts';
import type { Connection } from './connection.ts';

/** A kubeconfig for an administrator. Rejects if no credential in a kubeconfig would be accepted. */
export async function kubeconfigFor(
  name: string,
  { url, authority, token }: ServedCluster['api'],
  send: Connection['send'],
): Promise<string> {
  if (token !== undefined) return kubeconfigOf({ name, url, authority, user: { token } });
  if (!url.startsWith('https:'))
    throw new Error(
      'this server has users of its own (--token-auth-file), so a kubeconfig would need a client certificate, which nobody sends over plain http; start it with --tls, or use one of its tokens',
    );
  const asked = await send({ realm: 'host', method: 'POST', path: '/bridge/client', headers: [] });
  const answer = (await asked.json()) as ClientFiles & { readonly message?: string };
  if (!asked.ok) throw new Error(answer.message);
  const { authority: own, ...user } = answer;
  return kubeconfigOf({ name, url, authority: own, user });
}
