import { EventCreations } from './events.ts';
import { PodCreations } from './pods.ts';
import { PodUpdates } from './podUpdates.ts';
import { QuietWrites, type TogetherServer } from './quiet.ts';
import { Renewals } from './renewals.ts';
import { Reports } from './reports.ts';

/** What a server writes many at once. */
export interface Together {
  readonly renewals: Pick<Renewals, 'renew'>;
  readonly reports: Pick<Reports, 'report'>;
  readonly events: Pick<EventCreations, 'create'>;
  readonly pods: Pick<PodCreations, 'create'>;
  readonly podUpdates: Pick<PodUpdates, 'bind' | 'patchStatus'>;
}

export function together(server: TogetherServer): Together {
  const quiet = new QuietWrites(server);
  return {
    renewals: new Renewals(server, quiet),
    reports: new Reports(server, quiet),
    events: new EventCreations(server, quiet),
    pods: new PodCreations(server, quiet),
    podUpdates: new PodUpdates(server, quiet),
  };
}
