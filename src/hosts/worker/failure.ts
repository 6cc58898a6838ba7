import { getOwn } from '../../std/index.ts';
import type { BootFailure } from './messages.ts';

/** By the names of errors, and the reasons that some give, since they may come from other realms: what kind of refusal each is. */
const kinds: Readonly<Record<string, BootFailure['kind']>> = {
  DamagedError: 'damaged',
  FlagError: 'flags',
  GoneError: 'gone',
  QuotaExceededError: 'quota',
  'WriteError quota': 'quota',
};

/** The error for a page when a cluster could not be opened. */
export function failureOf(error: unknown): BootFailure {
  if (!(error instanceof Error)) return { kind: 'other', message: String(error) };
  const reason = 'reason' in error ? `${error.name} ${String(error.reason)}` : error.name;
  return { kind: getOwn(kinds, reason) ?? getOwn(kinds, error.name) ?? 'other', message: error.message };
}
