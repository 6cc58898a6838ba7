/** What the server serves. */
import type { Family } from '../family.ts';

export const discovery: Family = {
  name: 'discovery',
  steps: [
    'api-versions',
    'api-resources',
    'api-resources -o name',
    'api-resources -o wide --api-group=apps',
    'api-resources --namespaced=false --no-headers',
    'api-resources --verbs=list,get --sort-by=kind',
  ],
};
