/** Roles and bindings: users can't grant rights that they do not have (specification, Authorization 7). */
import { checkBinding, checkRole, type Writing } from '../../../authz/index.ts';
import type { ApiObject, StatusError } from '../../../schema/index.ts';
import type { ResourceContext } from '../registry.ts';
import type { Behaviour, KindFile } from '../registry.ts';

const GROUP = 'rbac.authorization.{domain}';

type Check<T> = (
  server: ResourceContext['server'],
  writing: Writing,
  next: T,
  old?: T,
) => Promise<StatusError | undefined>;

/** These objects were decoded by their declarations, so they have the shapes that the checks expect. */
const guard =
  <T>(check: Check<T>): NonNullable<Behaviour['guard']> =>
  async (object, old, context) => {
    const refused = await check(context.server, writingOf(object, context), object as T, old as T | undefined);
    if (refused) throw refused;
  };

function writingOf(object: ApiObject, { user, info }: ResourceContext): Writing {
  const { group, resource, name, namespace } = info;
  return { user, group, resource, urlName: name, namespace, objectName: object.metadata.name ?? '' };
}

const roleGuard = guard<Parameters<typeof checkRole>[2]>((server, ...args) =>
  checkRole({ index: server.policy, authorize: async (request) => server.authorize(request) }, ...args),
);
const bindingGuard = guard<Parameters<typeof checkBinding>[2]>((server, ...args) =>
  checkBinding({ index: server.policy, authorize: async (request) => server.authorize(request) }, ...args),
);

export const rbacKinds: readonly KindFile[] = [
  { resource: `roles.${GROUP}`, behaviour: { guard: roleGuard } },
  { resource: `clusterroles.${GROUP}`, behaviour: { guard: roleGuard } },
  { resource: `rolebindings.${GROUP}`, behaviour: { guard: bindingGuard } },
  { resource: `clusterrolebindings.${GROUP}`, behaviour: { guard: bindingGuard } },
];
