import type { Resource } from '../../schema/index.ts';
import { passesRouter } from '../codec/respond.ts';
import type { ResourceContext } from '../registry/registry.ts';
import { markDeprecated } from '../metrics/requests.ts';

/** Adds a Warning with the replacement to requests through a deprecated version. */
export function warnDeprecated(context: ResourceContext, resource: Resource): void {
  const { deprecated, deprecationWarning } = resource.version;
  if (deprecationWarning) context.warnings.add(deprecationWarning);
  if (!deprecated || !passesRouter(context)) return;
  const { since, removed, replacement } = deprecated;
  const { names } = context.server;
  const { kind } = resource.gvk;
  const unavailable = removed ? `, unavailable in ${removed}+` : '';
  const instead = replacement ? `; use ${names.fill(replacement)} ${kind}` : '';
  context.warnings.add(`${resource.apiVersion} ${kind} is deprecated in ${since}+${unavailable}${instead}`);
  const release = removed?.replace(/^v/, '') ?? '';
  markDeprecated(context.server.metrics, context, release);
  context.audit?.annotate(names.fill('{domain}/deprecated'), 'true');
  if (release !== '') context.audit?.annotate(names.fill('{domain}/removed-release'), release);
}
