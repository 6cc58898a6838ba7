import { apply, asked, may, mayNot, send } from '../build.ts';
import { cards } from '../cards.ts';
import type { Lesson } from '../engine/lesson.ts';

const RBAC = 'rbac.authorization.{domain}';
const deployer = 'system:serviceaccount:shop:deployer';

const MANAGE = ['get', 'list', 'watch', 'create', 'update', 'patch'];

const start = `
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: deployer, namespace: shop}
---
apiVersion: ${RBAC}/v1
kind: ClusterRoleBinding
metadata: {name: deployer-everything}
subjects: [{kind: ServiceAccount, name: deployer, namespace: shop}]
roleRef: {apiGroup: ${RBAC}, kind: ClusterRole, name: cluster-admin}
---
apiVersion: ${RBAC}/v1
kind: Role
metadata: {name: role-keeper, namespace: shop}
rules:
- apiGroups: [${RBAC}]
  resources: [roles, rolebindings]
  verbs: [get, list, watch, create, update, delete]
---
apiVersion: ${RBAC}/v1
kind: RoleBinding
metadata: {name: dana-keeps-roles, namespace: shop}
subjects: [{apiGroup: ${RBAC}, kind: User, name: dana}]
roleRef: {apiGroup: ${RBAC}, kind: Role, name: role-keeper}
---
apiVersion: ${RBAC}/v1
kind: Role
metadata: {name: secret-reader, namespace: shop}
rules:
- apiGroups: [""]
  resources: [secrets]
  verbs: [get]
`;

const narrow = `
apiVersion: ${RBAC}/v1
kind: Role
metadata: {name: deployer, namespace: shop}
rules:
- apiGroups: [apps]
  resources: [deployments]
  verbs: [get, list, watch, create, update, patch]
---
apiVersion: ${RBAC}/v1
kind: RoleBinding
metadata: {name: deployer, namespace: shop}
subjects: [{kind: ServiceAccount, name: deployer, namespace: shop}]
roleRef: {apiGroup: ${RBAC}, kind: Role, name: deployer}
`;

const mayBind = `
apiVersion: ${RBAC}/v1
kind: Role
metadata: {name: may-give-secret-reader, namespace: shop}
rules:
- apiGroups: [${RBAC}]
  resources: [roles]
  resourceNames: [secret-reader]
  verbs: [bind]
---
apiVersion: ${RBAC}/v1
kind: RoleBinding
metadata: {name: dana-may-give-secret-reader, namespace: shop}
subjects: [{apiGroup: ${RBAC}, kind: User, name: dana}]
roleRef: {apiGroup: ${RBAC}, kind: Role, name: may-give-secret-reader}
`;

const benReads = `
apiVersion: ${RBAC}/v1
kind: RoleBinding
metadata: {name: ben-reads-secrets, namespace: shop}
subjects: [{apiGroup: ${RBAC}, kind: User, name: ben}]
roleRef: {apiGroup: ${RBAC}, kind: Role, name: secret-reader}
`;

const roles = `/apis/${RBAC}/v1/namespaces/shop/roles`;

export const lesson: Lesson = {
  ...cards.leastPrivilege,
  intro: [
    'Grant each account what it needs and nothing else. Then a stolen token does little damage.',
    'The API server helps: nobody can grant permissions that they don’t have.',
  ],
  start: {
    users: [
      { name: 'dana', groups: [], about: 'may write roles in shop' },
      { name: 'ben', groups: [], about: 'has no permissions yet' },
    ],
    steps: [apply(start)],
  },
  tasks: [
    {
      title: 'Narrow a permission',
      text: [
        'The service account `deployer` in shop should only manage Deployments there. But it is bound to `cluster-admin`.',
        'Delete that binding. Instead, give it a Role in shop that allows it to get, list, watch, create, update and patch Deployments.',
      ],
      where: { panel: 'access', path: ['what-can'], query: { who: 'system:serviceaccount:shop:deployer' } },
      commands: [
        '{ctl} delete clusterrolebinding deployer-everything',
        '{ctl} create role deployer -n shop --verb=get,list,watch,create,update,patch --resource=deployments.apps',
        '{ctl} create rolebinding deployer -n shop --role=deployer --serviceaccount=shop:deployer',
      ],
      hints: [
        'The binding is a ClusterRoleBinding named `deployer-everything`.',
        'Deployments are in the API group `apps`.',
        'The subject of the new binding is of kind ServiceAccount, with its namespace.',
      ],
      checks: [
        may('The deployer may get, list, watch, create, update and patch Deployments in shop.', {
          user: deployer,
          verb: MANAGE,
          resource: 'deployments.apps',
          namespace: 'shop',
        }),
        mayNot('It may not delete them.', {
          user: deployer,
          verb: ['delete', 'deletecollection'],
          resource: 'deployments.apps',
          namespace: 'shop',
        }),
        mayNot('It may not touch secrets, pods or roles there.', {
          user: deployer,
          verb: ['get', 'create'],
          resource: ['secrets', 'pods', `roles.${RBAC}`],
          namespace: 'shop',
        }),
        mayNot('It has no permissions in other namespaces.', {
          user: deployer,
          verb: MANAGE,
          resource: 'deployments.apps',
          namespace: 'default',
        }),
        mayNot('No other account in shop has these permissions.', {
          user: 'system:serviceaccount:shop:default',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
          verb: 'create',
          resource: 'deployments.apps',
          namespace: 'shop',
        }),
      ],
      solution: [send('DELETE', `/apis/${RBAC}/v1/clusterrolebindings/deployer-everything`), apply(narrow)],
      note: 'Show Access, What can, before and after. The list shrinks from everything to one line.',
    },
    {
      title: 'Try to escalate',
      text: [
        'Dana may write roles in shop. She may not read secrets. Can she create a role that allows it?',
        'Act as `dana` and create a Role in shop that allows `get` on secrets.',
      ],
      where: { panel: 'explore', path: [RBAC, 'roles'], query: { ns: 'shop' } },
      commands: ['{ctl} create role mine -n shop --verb=get --resource=secrets --as dana'],
      note: 'Dana may create roles. The server still compares the new rules with her own.',
      hints: [
        'Choose `dana` above. Then press `c` and write the Role.',
        'Read the refusal: it lists the permissions that she lacks.',
      ],
      checks: [
        asked('Dana tried to create a Role and was refused (403).', {
          user: 'dana',
          method: 'POST',
          path: '/namespaces/shop/roles',
          status: 403,
        }),
      ],
      solution: [
        send('POST', roles, {
          as: { user: 'dana' },
          body: {
            metadata: { name: 'mine' },
            rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }],
          },
          expect: 403,
        }),
      ],
    },
    {
      title: 'Allow her to grant one role',
      text: [
        'Dana should be able to grant the Role `secret-reader` to others. She should not get it herself.',
        'As the administrator, allow her the verb `bind` on that one role. Don’t allow `escalate`: with it she could write any rule.',
      ],
      where: { panel: 'explore', path: [RBAC, 'rolebindings'], query: { ns: 'shop' } },
      commands: [
        '{ctl} create role may-give-secret-reader -n shop --verb=bind --resource=roles --resource-name=secret-reader',
        '{ctl} create rolebinding dana-may-give-secret-reader -n shop --role=may-give-secret-reader --user=dana',
      ],
      note: 'Ask for the difference between `bind` and `escalate` before you go on.',
      hints: [
        '`bind` is a verb on the resource `roles`, in the API group of roles.',
        '`resourceNames` limits a rule to objects with those names.',
      ],
      checks: [
        may('Dana may bind `secret-reader`.', {
          user: 'dana',
          verb: 'bind',
          resource: `roles.${RBAC}`,
          namespace: 'shop',
          name: 'secret-reader',
        }),
        mayNot('She may not bind other roles.', {
          user: 'dana',
          verb: 'bind',
          resource: [`roles.${RBAC}`, `clusterroles.${RBAC}`],
          namespace: 'shop',
          name: 'other',
        }),
        mayNot('She may not bind a role of that name in another namespace.', {
          user: 'dana',
          verb: 'bind',
          resource: `roles.${RBAC}`,
          namespace: 'default',
          name: 'secret-reader',
        }),
        mayNot('She may not escalate.', {
          user: 'dana',
          verb: 'escalate',
          resource: `roles.${RBAC}`,
          namespace: 'shop',
          name: 'secret-reader',
        }),
        mayNot('She may not read secrets.', { user: 'dana', verb: 'get', resource: 'secrets', namespace: 'shop' }),
        mayNot('Nobody else may bind it.', {
          user: 'ben',
          verb: 'bind',
          resource: `roles.${RBAC}`,
          namespace: 'shop',
          name: 'secret-reader',
        }),
      ],
      solution: [apply(mayBind)],
    },
    {
      title: 'Grant the role as Dana',
      text: ['Act as `dana` again. Bind `secret-reader` to the user `ben`, in shop.'],
      commands: ['{ctl} create rolebinding ben-reads-secrets -n shop --role=secret-reader --user=ben --as dana'],
      note: 'Ask whether Dana can now bind the role to herself. She can.',
      hints: ['Create a RoleBinding in shop. She was allowed to create RoleBindings from the start.'],
      checks: [
        asked('Dana created a RoleBinding (201).', {
          user: 'dana',
          method: 'POST',
          path: '/namespaces/shop/rolebindings',
          status: 201,
        }),
        may('Ben may read secrets in shop.', { user: 'ben', verb: 'get', resource: 'secrets', namespace: 'shop' }),
        mayNot('Nobody else may.', { user: 'carl', verb: 'get', resource: 'secrets', namespace: 'shop' }),
      ],
      solution: [apply(benReads, { user: 'dana' })],
    },
  ],
  seen: [
    {
      text: 'Everything that one account may do.',
      link: { panel: 'access', path: ['what-can'], query: { who: 'system:serviceaccount:shop:deployer' } },
    },
    {
      text: 'Every refusal, with the change that would have allowed it.',
      link: { panel: 'access', path: ['refusals'] },
    },
  ],
  why: [
    'Without this check, anyone who may write roles could take over the cluster. The server compares each new rule with the permissions of the writer.',
    '`bind`, `escalate` and `impersonate` let somebody gain more permissions. Grant them only on named objects, or not at all.',
  ],
};
