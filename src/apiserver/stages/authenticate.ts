/** Who asks? Runs the union of methods; 401 when a credential was given and none accepts it. */
import type { Connection, UserInfo } from '../../authn/index.ts';
import { status } from '../../schema/index.ts';
import type { Server } from '../context.ts';

export async function authenticate(
  server: Server,
  requestId: string,
  request: Request,
  connection: Connection,
): Promise<UserInfo> {
  const { user, attempts } = await server.authenticate(request, connection);
  if (server.tracer.wants('request')) {
    const identity = user ? { user: user.name, groups: user.groups } : {};
    server.tracer.emit({ topic: 'request', request: requestId, stage: 'authentication', attempts, ...identity });
  }
  if (!user) throw status.unauthorized();
  return user;
}
