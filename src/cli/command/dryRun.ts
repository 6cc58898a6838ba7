/** `--dry-run=none|client|server`. */
import { complaint } from './errors.ts';
import { text } from './flags.ts';

export type DryRun = 'none' | 'client' | 'server';

export const dryRunFlag = text({ initial: 'none', alone: 'unchanged' });

/** Throws CommandError for any other word. */
export function dryRunOf(value: string): DryRun {
  if (value === 'unchanged') return 'client';
  if (value === 'none' || value === 'client' || value === 'server') return value;
  throw complaint(`Invalid dry-run value (${value}). Must be "none", "server", or "client".`);
}

/** Follows a success message: `pod/web created (dry run)`. */
export const dryRunNote = (dryRun: DryRun): string =>
  ({ none: '', client: ' (dry run)', server: ' (server dry run)' })[dryRun];
