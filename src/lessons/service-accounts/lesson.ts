import { apply, asked, may, mayNot, object, send } from '../build.ts';
import { cards } from '../cards.ts';
import type { Lesson } from '../engine/lesson.ts';

const RBAC = 'rbac.authorization.{domain}';
const robot = 'system:serviceaccount:shop:robot';
const accounts = '/api/v1/namespaces/shop/serviceaccounts';

const start = `
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: prices, namespace: shop}
data: {apple: "3"}
`;

const account = `
apiVersion: v1
kind: ServiceAccount
metadata: {name: robot, namespace: shop}
`;

const reads = `
apiVersion: ${RBAC}/v1
kind: Role
metadata: {name: price-reader, namespace: shop}
rules:
- apiGroups: [""]
  resources: [configmaps]
  verbs: [get, list]
---
apiVersion: ${RBAC}/v1
kind: RoleBinding
metadata: {name: robot-reads-prices, namespace: shop}
subjects: [{kind: ServiceAccount, name: robot, namespace: shop}]
roleRef: {apiGroup: ${RBAC}, kind: Role, name: price-reader}
`;

const quiet = `
apiVersion: v1
kind: Pod
metadata: {name: quiet, namespace: shop}
spec:
  serviceAccountName: robot
  automountServiceAccountToken: false
  containers:
  - {name: main, image: nginx}
`;

export const lesson: Lesson = {
  ...cards.serviceAccounts,
  intro: [
    'Users are not objects in the cluster. Programs use service accounts, which are objects in a namespace.',
    'A program sends a token. The API server reads the account from it.',
  ],
  start: { nodes: 1, steps: [apply(start)] },
  tasks: [
    {
      title: 'Create an account',
      text: [
        'Create a ServiceAccount `robot` in the namespace shop.',
        'A controller creates a Secret for it with a token that never expires. That is how v1.20 works. You will use a better token below.',
      ],
      where: { panel: 'explore', path: ['core', 'serviceaccounts'], query: { ns: 'shop' } },
      commands: ['{ctl} create serviceaccount robot -n shop'],
      note: 'Show the Secret. Anyone who can read it can act as the account forever.',
      hints: ['A ServiceAccount only needs a name.'],
      checks: [
        object('The account `robot` exists and has a token Secret.', 'v1/serviceaccounts', 'shop/robot', {
          path: 'secrets[0].name',
          exists: true,
        }),
      ],
      solution: [apply(account)],
    },
    {
      title: 'Allow it to read',
      text: [
        'The account has no permissions yet. Bind it to a Role that allows `get` and `list` on configmaps in shop.',
        'Its user name is `system:serviceaccount:shop:robot`.',
      ],
      where: { panel: 'explore', path: [RBAC, 'rolebindings'], query: { ns: 'shop' } },
      commands: [
        '{ctl} create role price-reader -n shop --verb=get,list --resource=configmaps',
        '{ctl} create rolebinding robot-reads-prices -n shop --role=price-reader --serviceaccount=shop:robot',
      ],
      note: 'Take the user name apart: the kind, the namespace and the name.',
      hints: ['The subject has `kind: ServiceAccount`, `name: robot` and `namespace: shop`, and no apiGroup.'],
      checks: [
        may('The robot may get and list configmaps in shop.', {
          user: robot,
          verb: ['get', 'list'],
          resource: 'configmaps',
          namespace: 'shop',
        }),
        mayNot('It may not read secrets or pods.', {
          user: robot,
          verb: ['get', 'list'],
          resource: ['secrets', 'pods'],
          namespace: 'shop',
        }),
        mayNot('It may not change anything.', {
          user: robot,
          verb: ['create', 'update', 'patch', 'delete'],
          resource: 'configmaps',
          namespace: 'shop',
        }),
        mayNot('It may not list configmaps in other namespaces.', {
          user: robot,
          verb: 'list',
          resource: 'configmaps',
          namespace: 'default',
        }),
        mayNot('No other account may list configmaps in shop.', {
          user: 'system:serviceaccount:shop:default',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
          verb: 'list',
          resource: 'configmaps',
          namespace: 'shop',
        }),
      ],
      solution: [apply(reads)],
    },
    {
      title: 'Request a token that expires',
      text: [
        'Request a new token: send a POST to the subresource `token` of the account. Access, Tokens does this for you.',
        'Then use that token to list the configmaps in shop.',
      ],
      where: { panel: 'access', path: ['tokens'], query: { who: 'system:serviceaccount:shop:robot' } },
      commands: [
        `TOKEN=$(echo '{"spec":{"expirationSeconds":600}}' | {ctl} create --raw ${accounts}/robot/token -f - | sed 's/.*"token":"//; s/".*//')`,
        '{ctl} get configmaps -n shop --token $TOKEN',
      ],
      hints: [
        'In Access, Tokens, choose the account `robot` in shop and issue a token.',
        'Act with the token from there. Then open Explore, ConfigMaps, in the namespace shop.',
      ],
      checks: [
        asked('A token for `robot` was issued (201).', {
          method: 'POST',
          path: '/namespaces/shop/serviceaccounts/robot/token',
          status: 201,
        }),
        asked('The robot listed configmaps with a token (200).', {
          user: robot,
          by: 'service account token',
          verb: 'list',
          path: '/namespaces/shop/configmaps',
          status: 200,
        }),
      ],
      solution: [
        send('POST', `${accounts}/robot/token`, {
          body: { spec: { audiences: [], expirationSeconds: 600 } },
          keep: { token: 'status.token' },
        }),
        send('GET', '/api/v1/namespaces/shop/configmaps', { as: { token: '<token>' } }),
      ],
      note: 'Open the token in the page: it names the account, the audience and the expiry time.',
    },
    {
      title: 'Run a pod without a token',
      text: [
        'By default, every pod has the token of its account in a file. Most programs never use it. An attacker would.',
        'As the administrator, run a pod `quiet` in shop. Give it the account `robot` and the image nginx, but no token.',
      ],
      where: { panel: 'explore', path: ['core', 'pods'], query: { ns: 'shop' } },
      commands: [
        `{ctl} run quiet -n shop --image=nginx --overrides='{"spec":{"serviceAccountName":"robot","automountServiceAccountToken":false}}'`,
      ],
      note: 'Look for the token in the files of both pods.',
      hints: ['The field is `automountServiceAccountToken`.', 'It is in the pod’s spec, beside `serviceAccountName`.'],
      checks: [
        object(
          'The pod `quiet` runs with the account `robot`.',
          'v1/pods',
          'shop/quiet',
          { path: 'spec.serviceAccountName', is: 'robot' },
          { path: 'status.phase', is: 'Running' },
        ),
        object('No token is mounted.', 'v1/pods', 'shop/quiet', {
          path: 'spec.containers[*].volumeMounts[*].mountPath',
          lacks: '/var/run/secrets/{label}/serviceaccount',
        }),
      ],
      solution: [apply(quiet)],
    },
  ],
  seen: [
    {
      text: 'What a token contains, and who signed it.',
      link: { panel: 'access', path: ['tokens'], query: { who: 'system:serviceaccount:shop:robot' } },
    },
    { text: 'How each request was authenticated.', link: { panel: 'requests' } },
  ],
  why: [
    'Anyone who has a token can act as its account. A token that expires after ten minutes is of little use to a thief.',
    'Use one account for each program. Then its role says exactly what that program may do.',
  ],
};
