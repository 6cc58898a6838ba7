/** `/logs/`: one of the server's log files, or their list. Only the audit log exists. */
import { status } from '../schema/index.ts';
import type { Answer } from './codec/answer.ts';
import { textResponse } from './codec/textResponse.ts';
import type { RequestContext } from './context.ts';
import type { AuditServer } from './stages/audit.ts';

export function logs({ server, info }: RequestContext<AuditServer>): Answer {
  const files = server.audit?.files;
  if (!files || server.flag('enable-logs-handler') === 'false') throw status.unknownPath();
  const name = info.path.replace(/^\/logs\/?/, '');
  const text = name === '' ? files.names.join('\n') : files.read(name);
  if (text === undefined) throw status.unknownPath();
  return { type: 'response', response: textResponse(text, 200, 'text/plain; charset=utf-8') };
}
