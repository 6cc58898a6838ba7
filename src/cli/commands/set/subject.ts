/** `set subject`: who a binding gives its role to. */
import type { Client } from '../../../client/index.ts';
import type { ApiObject, objects } from '../../../schema/index.ts';
import { command } from '../../command/command.ts';
import { complaint } from '../../command/errors.ts';
import { texts } from '../../command/flags.ts';
import { liveOrLocal } from '../../server/selected.ts';
import { selectingFlags, setEach } from './changing.ts';

export type Subject = objects.RoleBinding['subjects'] extends readonly (infer T)[] | undefined ? T : never;

export const subjectFlags = {
  group: texts(),
  serviceaccount: texts(),
  user: texts(),
};

interface Named {
  readonly user: readonly string[];
  readonly group: readonly string[];
  readonly serviceaccount: readonly string[];
}

/** The subjects that flags name: users, groups, then service accounts as `namespace:name`. Throws CommandError. */
export function subjectsOf({ names }: Client, { user, group, serviceaccount }: Named): readonly Subject[] {
  const apiGroup = names.fill('rbac.authorization.{domain}');
  return [
    ...[...new Set(user)].map((name) => ({ apiGroup, kind: 'User', name })),
    ...[...new Set(group)].map((name) => ({ apiGroup, kind: 'Group', name })),
    ...[...new Set(serviceaccount)].map((text) => {
      const [namespace = '', name = '', ...more] = text.split(':');
      if (namespace === '' || name === '' || more.length > 0)
        throw complaint('serviceaccount must be <namespace>:<name>');
      return { kind: 'ServiceAccount', namespace, name };
    }),
  ];
}

export const subject = command({
  name: 'subject',
  flags: { ...selectingFlags, ...subjectFlags },
  run: async (call) => {
    const { user, group, serviceaccount } = call.flags;
    if (user.length + group.length + serviceaccount.length === 0)
      throw complaint('you must specify at least one value of user, group or serviceaccount');
    const added = subjectsOf(call.client, call.flags);
    await setEach(call, await liveOrLocal(call, call.args), {
      did: 'subjects updated',
      next: ({ resource, name, object }) => {
        if (!['RoleBinding', 'ClusterRoleBinding'].includes(resource.kind))
          throw complaint(
            `${resource.resource}/${name} setting subjects is only supported for RoleBinding/ClusterRoleBinding`,
          );
        const { subjects = [] } = object as ApiObject & { readonly subjects?: readonly Subject[] };
        const isThere = (wanted: Subject): boolean =>
          subjects.some(
            ({ kind, name, namespace, apiGroup }) =>
              kind === wanted.kind &&
              name === wanted.name &&
              (namespace ?? '') === (wanted.namespace ?? '') &&
              (apiGroup ?? '') === (wanted.apiGroup ?? ''),
          );
        return Object.assign({}, object, { subjects: [...subjects, ...added.filter((each) => !isThere(each))] });
      },
    });
  },
});
