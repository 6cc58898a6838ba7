import type { Resource } from '../../schema/index.ts';
import type { RequestContext } from '../context.ts';
import { markDeprecated } from '../metrics.ts';

/** A request through a deprecated version is answered with a Warning that says what to use instead. */
export function warnDeprecated(context: RequestContext, resource: Resource): void {
  const { deprecated, deprecationWarning } = resource.version;
  if (deprecationWarning) context.warnings.add(deprecationWarning);
  if (!deprecated) return;
  const what = `${resource.apiVersion} ${resource.gvk.kind}`;
  const instead = deprecated.replacement ? `; use ${context.server.names.fill(deprecated.replacement)}` : '';
  context.warnings.add(
    `${what} is deprecated in v${deprecated.since}+, unavailable in v${deprecated.removed}+${instead}`,
  );
  markDeprecated(context.server.metrics, context, deprecated.removed ?? '');
  context.audit?.annotate(context.server.names.fill('{domain}/deprecated'), 'true');
}
