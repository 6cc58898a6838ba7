import {
  openAuthority,
  simulatedIssuer,
  type Authority,
  type AuthorityDeps,
  type RemoteFetch,
  type SimulatedIssuer,
} from '../authn/index.ts';
import type { Webhooks } from '../webhooks/index.ts';
import { keptText, ownAuthority } from './pki.ts';
import { startWebhooks, type WebhookSettings } from './webhooks.ts';

export type OutsideDeps = Omit<WebhookSettings, 'authority' | 'outside'> &
  Parameters<typeof ownAuthority>[0] &
  AuthorityDeps & {
    /** How the host reaches the outside; missing if it can't. */
    readonly outside: RemoteFetch | undefined;
  };

/** Creates the issuer and the webhooks' listener, one in front of the other. */
export function openOutside(deps: OutsideDeps): { readonly issuer: SimulatedIssuer; readonly webhooks: Webhooks } {
  const authority = (): Promise<Authority> => openAuthority(ownAuthority(deps), deps);
  const issuer = simulatedIssuer({ ...deps, keyStore: keptText(deps.storage, 'issuer/keys'), authority });
  const webhooks = startWebhooks({ ...deps, authority, outside: issuer.before(deps.outside ?? unreachable) });
  return { issuer, webhooks };
}

export { certificateProblem } from '../webhooks/index.ts';

const unreachable = (): Promise<Response> => Promise.reject(new Error('this host reaches no other services'));
