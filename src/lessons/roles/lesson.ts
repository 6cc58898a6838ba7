import type { Lesson } from '../engine/lesson.ts';
import { cards } from '../cards.ts';

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
apiVersion: rbac.authorization.{domain}/v1
kind: Role
metadata: {name: reader, namespace: shop}
rules:
- apiGroups: [""]
  resources: [pods, configmaps]
  verbs: [get, list, watch]
`;

const annaReads = `
apiVersion: rbac.authorization.{domain}/v1
kind: RoleBinding
metadata: {name: anna-reads, namespace: shop}
subjects:
- {apiGroup: rbac.authorization.{domain}, kind: User, name: anna}
roleRef: {apiGroup: rbac.authorization.{domain}, kind: Role, name: reader}
`;

const auditors = `
apiVersion: rbac.authorization.{domain}/v1
kind: ClusterRoleBinding
metadata: {name: auditors-view}
subjects:
- {apiGroup: rbac.authorization.{domain}, kind: Group, name: auditors}
roleRef: {apiGroup: rbac.authorization.{domain}, kind: ClusterRole, name: view}
`;

/** Roles and bindings, in a namespace and everywhere. */
export const lesson: Lesson = {
  ...cards.roles,
  intro: [
    'Nobody may do anything until a rule allows it. There are no rules that forbid.',
    'A Role lists what is allowed. A RoleBinding gives it to somebody. You need both.',
  ],
  start: {
    users: [
      { name: 'anna', groups: [], about: 'keeps the shop' },
      { name: 'carl', groups: ['auditors'], about: 'looks at everything' },
    ],
    steps: [{ do: 'apply', manifest: start }],
  },
  tasks: [
    {
      title: 'Be refused',
      text: [
        'Anna wants to see the pods of the shop. Ask as her.',
        'The refusal names the user, the verb, the resource and the namespace. Read it: it is all you need to write the rule.',
      ],
      where: { panel: 'explore', path: ['core', 'pods'], query: { ns: 'shop' } },
      commands: ['{ctl} get pods --namespace shop --as anna'],
      hints: [
        'The identity switch in the top bar lets you act as a user. Act as `anna`.',
        'Then open Explore, Pods, in the namespace shop.',
      ],
      checks: [
        {
          look: 'requests',
          user: 'anna',
          path: '/namespaces/shop/pods',
          status: 403,
          says: 'Anna asked for the pods of the shop and was refused (403).',
        },
      ],
      solution: [
        { do: 'request', method: 'GET', path: '/api/v1/namespaces/shop/pods', as: { user: 'anna' }, expect: 403 },
      ],
    },
    {
      title: 'Write a Role',
      text: [
        'Act as the administrator again.',
        'Make a Role `reader` in the namespace shop. It allows `get`, `list` and `watch` of pods and configmaps.',
        'Anna may still do nothing. A role alone gives nothing to anybody.',
      ],
      where: { panel: 'explore', path: ['rbac.authorization.{domain}', 'roles'], query: { ns: 'shop' } },
      commands: ['{ctl} create role reader --namespace shop --verb=get,list,watch --resource=pods,configmaps'],
      hints: [
        'Pods and configmaps are in the core group. Its name is the empty text: `apiGroups: [""]`.',
        'One rule will do: apiGroups, resources, verbs.',
      ],
      checks: [
        {
          look: 'object',
          resource: 'rbac.authorization.{domain}/v1/roles',
          namespace: 'shop',
          name: 'reader',
          fields: [
            { path: 'rules[0].verbs', has: 'list' },
            { path: 'rules[0].resources', has: 'pods' },
            { path: 'rules[0].resources', has: 'configmaps' },
          ],
          says: 'The Role `reader` allows to list pods and configmaps.',
        },
      ],
      solution: [{ do: 'apply', manifest: reader }],
    },
    {
      title: 'Bind it',
      text: [
        'A RoleBinding in shop gives the role to Anna, in shop and nowhere else.',
        'She may read pods and configmaps then. Secrets stay closed: no rule names them.',
      ],
      where: { panel: 'access', path: ['who-can'], query: { ns: 'shop' } },
      commands: ['{ctl} create rolebinding anna-reads --namespace shop --role=reader --user=anna'],
      hints: ['A binding has subjects (who) and one roleRef (what).', 'The subject is of kind User and named `anna`.'],
      checks: [
        {
          look: 'access',
          user: 'anna',
          verb: 'list',
          resource: 'pods',
          namespace: 'shop',
          allowed: true,
          says: 'Anna may list pods in shop.',
        },
        {
          look: 'access',
          user: 'anna',
          verb: 'get',
          resource: 'secrets',
          namespace: 'shop',
          allowed: false,
          says: 'She may not read secrets.',
        },
        {
          look: 'access',
          user: 'anna',
          verb: 'list',
          resource: 'pods',
          namespace: 'office',
          allowed: false,
          says: 'She may not list pods in office.',
        },
      ],
      solution: [{ do: 'apply', manifest: annaReads }],
    },
    {
      title: 'Everywhere at once',
      text: [
        'The auditors look at all namespaces. There is a ClusterRole for that already: `view`. It leaves secrets out.',
        'Give it to the group `auditors` with a ClusterRoleBinding.',
      ],
      where: { panel: 'access' },
      commands: ['{ctl} create clusterrolebinding auditors-view --clusterrole=view --group=auditors'],
      hints: [
        'Bind the group, not Carl: then whoever joins the auditors is covered.',
        'The roleRef is the ClusterRole `view`.',
      ],
      checks: [
        {
          look: 'access',
          user: 'carl',
          groups: ['auditors', 'system:authenticated'],
          verb: 'list',
          resource: 'configmaps',
          namespace: 'office',
          allowed: true,
          says: 'Carl, an auditor, may list configmaps in office.',
        },
        {
          look: 'access',
          user: 'carl',
          groups: ['auditors', 'system:authenticated'],
          verb: 'get',
          resource: 'secrets',
          namespace: 'shop',
          allowed: false,
          says: 'He may not read secrets.',
        },
        {
          look: 'access',
          user: 'carl',
          verb: 'list',
          resource: 'configmaps',
          namespace: 'office',
          allowed: false,
          says: 'Outside of the group he may do nothing.',
        },
      ],
      solution: [{ do: 'apply', manifest: auditors }],
    },
  ],
  seen: [
    { text: 'Who may do what, by which rule.', link: { panel: 'access' } },
    { text: 'The proof of a refusal: every rule that was tried.', link: { panel: 'requests' } },
  ],
  why: [
    'Rules only add. So you can read any binding alone and know what it gives.',
    'Most leaks come from a ClusterRoleBinding where a RoleBinding would have done. Ask first: in which namespace?',
  ],
};
