/** `--cascade`: what becomes of the objects that belong to what is deleted. */
import type { DeleteOptions } from '../../client/index.ts';
import { complaint } from './errors.ts';
import { duration, integer, text, toggle } from './flags.ts';
import type { Session } from './session.ts';

export const cascadeFlag = text({
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

/** The flags of commands that may delete objects to make them anew. */
export const deletionFlags = {
  cascade: cascadeFlag,
  force: toggle(),
  'grace-period': integer({ initial: -1 }),
  timeout: duration(),
  wait: toggle(),
};
