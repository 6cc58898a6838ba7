/** Applies what would let a packet pass, as somebody who may. */
import { delay } from '../../../std/index.ts';
import { readManifests } from '../../editor/documents.ts';
import { orToast, toast } from '../../parts/index.ts';
import { theClient } from '../../stores/clients.ts';
import { administrator } from '../../stores/identity.ts';
import { pageClock } from '../../stores/liveObjects.ts';
import { servedBy } from '../../stores/resources.ts';

/** Applies a text of manifests as the administrator, whoever the page acts as. Says what came of it. */
export async function applyAsAdministrator(text: string): Promise<void> {
  await orToast('The policy could not be applied.', async () => {
    const { applyManifests } = await import('../../editor/apply.ts');
    const client = theClient(administrator);
    const how = { way: 'merge', force: false, dryRun: false, namespace: 'default' } as const;
    const wait = (ms: number): Promise<void> => delay(pageClock, ms);
    for (const outcome of await applyManifests(client, servedBy(client), readManifests(text), how, wait)) {
      const { kind, name } = outcome.manifest;
      if (outcome.did === 'failed') toast('failed', `${kind} ${name} was refused.`, outcome.status.message);
      else toast('allowed', `${kind} ${name} was ${outcome.did}.`);
    }
  });
}
