/** Audit events as a file. */
import type { AuditEntry } from '../../stores/audit.ts';

/** Lines of JSON, one event each, oldest first: the form of the server's own log. */
export function linesOf(entries: readonly AuditEntry[]): string {
  const sorted = [...entries].sort((a, b) => a.at - b.at);
  return sorted.map(({ event }) => `${JSON.stringify(event)}\n`).join('');
}

/** Hands the events to the person as a file. */
export function exportEntries(cluster: string, entries: readonly AuditEntry[]): void {
  const url = URL.createObjectURL(new Blob([linesOf(entries)], { type: 'application/x-ndjson' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${cluster}-audit.jsonl`;
  link.click();
  URL.revokeObjectURL(url);
}
