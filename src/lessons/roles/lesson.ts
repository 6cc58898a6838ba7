import { apply, asked, may, mayNot, object, send } from '../build.ts';
import type { Lesson } from '../engine/lesson.ts';
import { cards } from '../cards.ts';

const RBAC = 'rbac.authorization.{domain}';
const READ = ['get', 'list', 'watch'];
const auditor = { user: 'carl', groups: ['auditors', 'system:authenticated'] };

const start = `
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: Namespace
metadata: {name: office}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: prices, namespace: shop}
data: {apple: "3"}
---
apiVersion: v1
kind: Secret
metadata: {name: till, namespace: shop}
stringData: {code: "4711"}
`;

const reader = `
apiVersion: ${RBAC}/v1
kind: Role
metadata: {name: reader, namespace: shop}
rules:
- apiGroups: [""]
  resources: [pods, configmaps]
  verbs: [get, list, watch]
`;

const annaReads = `
apiVersion: ${RBAC}/v1
kind: RoleBinding
metadata: {name: anna-reads, namespace: shop}
subjects:
- {apiGroup: ${RBAC}, kind: User, name: anna}
roleRef: {apiGroup: ${RBAC}, kind: Role, name: reader}
`;

const auditors = `
apiVersion: ${RBAC}/v1
kind: ClusterRoleBinding
metadata: {name: auditors-view}
subjects:
- {apiGroup: ${RBAC}, kind: Group, name: auditors}
roleRef: {apiGroup: ${RBAC}, kind: ClusterRole, name: view}
`;

/** Roles and bindings, in a namespace and everywhere. */
export const lesson: Lesson = {
  ...cards.roles,
  intro: [
    'Nobody may do anything until a rule allows it. No rule can forbid anything.',
    'A Role lists what is allowed. A RoleBinding grants it to somebody. You need both.',
  ],
  start: {
    users: [
      { name: 'anna', groups: [], about: 'runs the shop' },
      { name: 'carl', groups: ['auditors'], about: 'audits everything' },
    ],
    steps: [apply(start)],
  },
  tasks: [
    {
      title: 'Be refused',
      text: [
        'Anna wants to see the pods in the namespace shop. List them as her.',
        'The refusal names the user, the verb, the resource and the namespace. That is all you need to write the rule.',
      ],
      where: { panel: 'explore', path: ['core', 'pods'], query: { ns: 'shop' } },
      commands: ['{ctl} get pods --namespace shop --as anna'],
      note: 'Read the refusal aloud. It contains every word of the rule that you write next.',
      hints: [
        'Choose `anna` under “Act as” above, or in the top bar.',
        'Then open Explore, Pods, in the namespace shop.',
      ],
      checks: [
        asked('Anna asked for the pods in shop and was refused (403).', {
          user: 'anna',
          method: 'GET',
          path: '/namespaces/shop/pods',
          status: 403,
        }),
      ],
      solution: [send('GET', '/api/v1/namespaces/shop/pods', { as: { user: 'anna' }, expect: 403 })],
    },
    {
      title: 'Write a Role',
      text: [
        'Act as the administrator again.',
        'Create a Role `reader` in the namespace shop. It allows `get`, `list` and `watch` on pods and configmaps.',
        'Anna still has no permissions: a role alone grants nothing.',
      ],
      where: { panel: 'explore', path: [RBAC, 'roles'], query: { ns: 'shop' } },
      commands: ['{ctl} create role reader --namespace shop --verb=get,list,watch --resource=pods,configmaps'],
      note: 'Ask whether Anna can read pods now. She can’t: no binding names her.',
      hints: [
        'Pods and configmaps are in the core group. Its name is empty: `apiGroups: [""]`.',
        'One rule is enough: apiGroups, resources, verbs.',
      ],
      checks: [
        object(
          'The Role `reader` in shop allows `get`, `list` and `watch` on pods and configmaps.',
          `${RBAC}/v1/roles`,
          'shop/reader',
          { path: 'rules[*].apiGroups', has: '' },
          ...['pods', 'configmaps'].map((resource) => ({ path: 'rules[*].resources', has: resource })),
          ...READ.map((verb) => ({ path: 'rules[*].verbs', has: verb })),
        ),
        object(
          'It allows nothing else.',
          `${RBAC}/v1/roles`,
          'shop/reader',
          { path: 'rules[*].apiGroups', only: [''] },
          { path: 'rules[*].resources', only: ['pods', 'configmaps'] },
          { path: 'rules[*].verbs', only: READ },
        ),
      ],
      solution: [apply(reader)],
    },
    {
      title: 'Bind the Role',
      text: [
        'Grant the role to Anna with a RoleBinding in shop. It applies in shop and nowhere else.',
        'Then she may read pods and configmaps. She may not read secrets, because no rule names them.',
      ],
      where: { panel: 'access', path: ['who-can'], query: { ns: 'shop' } },
      commands: ['{ctl} create rolebinding anna-reads --namespace shop --role=reader --user=anna'],
      note: 'Show Access, Who can, before and after.',
      hints: ['A binding has subjects (who) and one roleRef (what).', 'The subject is of kind User and named `anna`.'],
      checks: [
        may('Anna may read pods and configmaps in shop.', {
          user: 'anna',
          verb: READ,
          resource: ['pods', 'configmaps'],
          namespace: 'shop',
        }),
        mayNot('She may not read secrets, or anything else.', {
          user: 'anna',
          verb: READ,
          resource: ['secrets', 'services', 'deployments.apps'],
          namespace: 'shop',
        }),
        mayNot('She may not change anything.', {
          user: 'anna',
          verb: ['create', 'update', 'patch', 'delete'],
          resource: ['pods', 'configmaps'],
          namespace: 'shop',
        }),
        mayNot('She may not list pods in office.', {
          user: 'anna',
          verb: 'list',
          resource: 'pods',
          namespace: 'office',
        }),
        mayNot('Nobody else may list pods in shop.', {
          user: 'ben',
          verb: 'list',
          resource: 'pods',
          namespace: 'shop',
        }),
      ],
      solution: [apply(annaReads)],
    },
    {
      title: 'Grant a role in all namespaces',
      text: [
        'The auditors read all namespaces. The ClusterRole `view` already allows that. It leaves out secrets.',
        'Grant it to the group `auditors` with a ClusterRoleBinding.',
      ],
      where: { panel: 'access' },
      commands: ['{ctl} create clusterrolebinding auditors-view --clusterrole=view --group=auditors'],
      note: 'Ask who else can read all namespaces now. Every member of the group can.',
      hints: [
        'Bind the group, not Carl. Then the binding also covers new auditors.',
        'The roleRef is the ClusterRole `view`.',
      ],
      checks: [
        may('Carl, an auditor, may list pods and configmaps in all namespaces.', {
          ...auditor,
          verb: 'list',
          resource: ['pods', 'configmaps'],
        }),
        mayNot('He may not read secrets.', { ...auditor, verb: READ, resource: 'secrets', namespace: 'shop' }),
        mayNot('He may not change anything.', {
          ...auditor,
          verb: ['create', 'update', 'patch', 'delete'],
          resource: ['pods', 'configmaps'],
        }),
        mayNot('Without the group he has no permissions.', {
          user: 'carl',
          verb: 'list',
          resource: 'configmaps',
          namespace: 'office',
        }),
      ],
      solution: [apply(auditors)],
    },
  ],
  seen: [
    { text: 'Who may do what, and which rule allows it.', link: { panel: 'access' } },
    { text: 'The proof of a refusal: every rule that was tried.', link: { panel: 'requests' } },
  ],
  why: [
    'Rules only add permissions. So you can read one binding and know what it grants.',
    'A common mistake is a ClusterRoleBinding where a RoleBinding would be enough. First ask: in which namespace?',
  ],
};
