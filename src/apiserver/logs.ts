/** `/logs/`: the files that the server writes, one of them or their names. Only the audit log is one. */
import { status } from '../schema/index.ts';
import { textResponse, type Answer } from './codec/respond.ts';
import type { RequestContext } from './context.ts';

export function logs({ server, info }: RequestContext): Answer {
  const files = server.audit?.files;
  if (!files || server.flag('enable-logs-handler') === 'false') throw status.unknownPath();
  const name = info.path.replace(/^\/logs\/?/, '');
  const text = name === '' ? files.names.join('\n') : files.read(name);
  if (text === undefined) throw status.unknownPath();
  return { type: 'response', response: textResponse(text, 200, 'text/plain; charset=utf-8') };
}
