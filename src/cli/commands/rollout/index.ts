/** `rollout`: how a workload goes from one template to the next. */
import { group } from '../../command/command.ts';
import { history, undo } from './history.ts';
import { pauseRollout, restart, resume } from './pausing.ts';
import { status } from './status.ts';

export const rollout = group({
  name: 'rollout',
  aliases: [],
  alone: 'failure',
  subcommands: [history, pauseRollout, restart, resume, status, undo],
});
