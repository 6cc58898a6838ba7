/** Words that name no command, and the help of groups of commands. */
import type { Family } from '../family.ts';

export const usage: Family = {
  name: 'usage',
  steps: [
    ...['gte pods', 'nosuch'],
    ...['rollout', 'set', 'top', 'certificate', 'create service', 'create secret'].flatMap((group) => [
      group,
      `${group} --help`,
    ]),
  ],
};
