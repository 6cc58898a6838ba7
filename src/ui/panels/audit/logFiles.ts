/** What the server's audit log files hold. */
import type { Client } from '../../../client/index.ts';
import { entryOf, noteAuditLogs, type AuditEntry } from '../../stores/audit.ts';

/** What the lines of a log say; `unread` counts those that are no events. */
export function readLines(text: string): { readonly entries: readonly AuditEntry[]; readonly unread: number } {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.flatMap((line) => {
    try {
      return entryOf(JSON.parse(line)) ?? [];
    } catch {
      return [];
    }
  });
  return { entries, unread: lines.length - entries.length };
}

/** Reads the log files that the server serves, and takes in what they hold. Throws StatusError where it serves none. */
export async function readAuditLogs(client: Client): Promise<void> {
  const names = (await (await client.raw('/logs/')).text()).split('\n').filter(Boolean);
  const texts = await Promise.all(
    names.map(async (name) => (await client.raw(`/logs/${encodeURIComponent(name)}`)).text()),
  );
  const { entries, unread } = readLines(texts.join('\n'));
  noteAuditLogs(entries, unread);
}
