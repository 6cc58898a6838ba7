/** Everything beyond the API server: the issuer, user-written webhooks, and what the host reaches. */
import { SIMULATED_ISSUER, type RemoteFetch, type SimulatedIssuer } from '../authn/index.ts';
import type { JudgeCertificate } from '../network/index.ts';
import { Part } from '../std/index.ts';
import type { Webhooks } from '../webhooks/index.ts';
import type { OutsideDeps } from './outside.ts';

/** Created with the first call or question. */
export const outside = new Part(() => import('./outside.ts'));

export interface Surroundings {
  readonly issuer: Pick<SimulatedIssuer, 'url' | 'issue' | 'rotate'>;
  readonly webhooks: Pick<Webhooks, 'calls'>;
  readonly reach: RemoteFetch;
  /** Verifies a server's certificate for a client of the simulated network. */
  readonly judge: JudgeCertificate;
}

export function startSurroundings(deps: OutsideDeps): Surroundings {
  let opened: ReturnType<typeof open> | undefined;
  const open = (): { readonly issuer: SimulatedIssuer; readonly webhooks: Webhooks } => outside.get().openOutside(deps);
  const there = async (): Promise<ReturnType<typeof open>> => {
    if (!outside.loaded) await outside.load();
    return (opened ??= open());
  };
  return {
    issuer: {
      url: SIMULATED_ISSUER,
      issue: async (wish) => (await there()).issuer.issue(wish),
      rotate: async () => (await there()).issuer.rotate(),
    },
    webhooks: { calls: () => opened?.webhooks.calls() ?? [] },
    reach: async (request, trust) => (await there()).webhooks.fetch(request, trust),
    judge: async (shown, name, authorities) =>
      (await outside.load()).certificateProblem(shown, { authorities }, name, deps.clock),
  };
}
