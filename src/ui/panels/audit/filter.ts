/** Which audit events a person wants to see. */
import type { AuditEntry } from '../../stores/audit.ts';

export interface AuditFilter {
  /** Words that all have to stand somewhere in user, verb, what it was about, or code. */
  readonly text: string;
  /** Empty: any. */
  readonly level: string;
  readonly stage: string;
}

export function matching(entries: readonly AuditEntry[], { text, level, stage }: AuditFilter): readonly AuditEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (entry: AuditEntry): boolean => {
    const line = `${entry.user} ${entry.verb} ${entry.target} ${entry.code ?? ''}`.toLowerCase();
    return words.every((word) => line.includes(word));
  };
  return entries.filter(
    (entry) => (level === '' || entry.level === level) && (stage === '' || entry.stage === stage) && fits(entry),
  );
}
