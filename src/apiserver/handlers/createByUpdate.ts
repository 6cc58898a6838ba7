import { status } from '../../schema/index.ts';
import type { ResourceContext } from '../registry/registry.ts';
import { attributesFor } from '../stages/authorize.ts';

/** A PUT or an apply that would create an object needs the right to create; throws 403. */
export async function mayCreate(context: ResourceContext): Promise<void> {
  const attributes = { ...attributesFor(context.user, context.info), verb: 'create' };
  const { decision, reason } = await context.server.authorize(attributes);
  if (decision === 'allow') return;
  const { resource, group, name } = attributes;
  throw status.forbidden({ group, resource }, name, reason || 'not allowed to create');
}
