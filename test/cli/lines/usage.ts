/** Words that name no command. */
import type { Family } from '../family.ts';

export const usage: Family = {
  name: 'usage',
  steps: ['gte pods', 'nosuch'],
};
