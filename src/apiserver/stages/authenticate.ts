/** Authentication: runs the union of methods; 401 if a credential was given and no method accepts it. */
import type { Connection, UserInfo } from '../../authn/index.ts';
import { status } from '../../schema/index.ts';
import type { Core } from '../context.ts';
import type { Decisions } from '../decisions.ts';
import { countAuthentication } from '../metrics/authentication.ts';

export async function authenticate(
  server: Core & Pick<Decisions, 'authenticate'>,
  requestId: string,
  request: Request,
  connection: Connection,
): Promise<UserInfo> {
  const started = server.clock.now();
  const authentication = await server.authenticate(request, connection);
  countAuthentication(server.metrics, authentication, (server.clock.now() - started) / 1000);
  const { user, attempts } = authentication;
  if (server.tracer.wants('request')) {
    const identity = user ? { user: user.name, groups: user.groups } : {};
    server.tracer.emit({ topic: 'request', request: requestId, stage: 'authentication', attempts, ...identity });
  }
  if (!user) throw status.unauthorized();
  return user;
}
