/** `--cascade`: what becomes of the objects that belong to what is deleted. */
import type { DeleteOptions } from '../../client/index.ts';
import { complaint } from './errors.ts';
import { text } from './flags.ts';
import type { Session } from './session.ts';

export const cascadeFlag = text('Must be "background", "orphan", or "foreground".', {
  ...{ initial: 'background', alone: 'background' },
});

/** Throws CommandError for any other word. */
export function policyOf(
  cascade: string,
  session: Pick<Session, 'err'>,
): NonNullable<DeleteOptions['propagationPolicy']> {
  const old = { true: 'background', false: 'orphan' }[cascade];
  if (old !== undefined)
    session.err(
      `warning: --cascade=${cascade} is deprecated (boolean value) and can be replaced with --cascade=${old}.\n`,
    );
  const word = old ?? cascade;
  if (word === 'background') return 'Background';
  if (word === 'orphan') return 'Orphan';
  if (word === 'foreground') return 'Foreground';
  throw complaint(`invalid cascade value (${cascade}). Must be "background", "foreground", or "orphan"`);
}
