import { EventCreations } from './events.ts';
import { QuietWrites, type TogetherServer } from './quiet.ts';
import { Renewals } from './renewals.ts';
import { Reports } from './reports.ts';

/** What a server writes many at once. */
export interface Together {
  readonly renewals: Renewals;
  readonly reports: Reports;
  readonly events: EventCreations;
}

export function together(server: TogetherServer): Together {
  const quiet = new QuietWrites(server);
  return {
    renewals: new Renewals(server, quiet),
    reports: new Reports(server, quiet),
    events: new EventCreations(server, quiet),
  };
}
