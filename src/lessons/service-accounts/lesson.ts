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
    'People come with names of their own. Programs come as service accounts, which are objects in a namespace.',
    'A program shows a token. The server reads from it which account it is.',
  ],
  start: { nodes: 1, steps: [apply(start)] },
  tasks: [
    {
      title: 'Make an account',
      text: [
        'Make a ServiceAccount `robot` in the namespace shop.',
        'A controller gives it a Secret with a token that never ends. That was usual in v1.20; you will do better below.',
      ],
      where: { panel: 'explore', path: ['core', 'serviceaccounts'], query: { ns: 'shop' } },
      commands: ['{ctl} create serviceaccount robot -n shop'],
      hints: ['A ServiceAccount needs nothing but its name.'],
      checks: [
        object('The account `robot` is there, with its token’s Secret.', 'v1/serviceaccounts', 'shop/robot', {
          path: 'secrets[0].name',
          exists: true,
        }),
      ],
      solution: [apply(account)],
    },
    {
      title: 'Let it read',
      text: [
        'The account may do nothing yet. Bind it to a Role that allows to get and list configmaps in shop.',
        'To the server its name is `system:serviceaccount:shop:robot`.',
      ],
      where: { panel: 'explore', path: [RBAC, 'rolebindings'], query: { ns: 'shop' } },
      commands: [
        '{ctl} create role price-reader -n shop --verb=get,list --resource=configmaps',
        '{ctl} create rolebinding robot-reads-prices -n shop --role=price-reader --serviceaccount=shop:robot',
      ],
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
        mayNot('It may change nothing.', {
          user: robot,
          verb: ['create', 'update', 'patch', 'delete'],
          resource: 'configmaps',
          namespace: 'shop',
        }),
        mayNot('It may list nothing elsewhere.', {
          user: robot,
          verb: 'list',
          resource: 'configmaps',
          namespace: 'default',
        }),
        mayNot('No other account may.', {
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
      title: 'Ask for a token that ends',
      text: [
        'Ask for a fresh token: a POST to the account’s subresource `token`. The page does it in Access, Tokens.',
        'Then act with that token, and list the configmaps of shop.',
      ],
      where: { panel: 'access', path: ['tokens'], query: { who: 'system:serviceaccount:shop:robot' } },
      commands: [
        `TOKEN=$(echo '{"spec":{"expirationSeconds":600}}' | {ctl} create --raw ${accounts}/robot/token -f - | sed 's/.*"token":"//; s/".*//')`,
        '{ctl} get configmaps -n shop --token $TOKEN',
      ],
      hints: [
        'In Access, Tokens, choose the account `robot` of shop, and press the button that issues a token.',
        'Act with it from there. Then open Explore, ConfigMap, in the namespace shop.',
      ],
      checks: [
        asked('A token of `robot` was issued (201).', {
          method: 'POST',
          path: '/namespaces/shop/serviceaccounts/robot/token',
          status: 201,
        }),
        asked('The robot itself listed configmaps with a token (200).', {
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
      note: 'Read the token in the page: it names the account, the audience and when it ends.',
    },
    {
      title: 'Don’t hand it to whoever doesn’t need it',
      text: [
        'Every pod finds its account’s token in a file, unless you say otherwise. Most programs never use it. Whoever breaks in does.',
        'As the administrator, run a pod `quiet` in shop as `robot`, with the image nginx, without a token.',
      ],
      where: { panel: 'explore', path: ['core', 'pods'], query: { ns: 'shop' } },
      commands: [
        `{ctl} run quiet -n shop --image=nginx --overrides='{"spec":{"serviceAccountName":"robot","automountServiceAccountToken":false}}'`,
      ],
      hints: [
        'The field is `automountServiceAccountToken`.',
        'It stands in the pod’s spec, beside `serviceAccountName`.',
      ],
      checks: [
        object(
          'The pod `quiet` runs as `robot`.',
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
      text: 'What a token says, and who signed it.',
      link: { panel: 'access', path: ['tokens'], query: { who: 'system:serviceaccount:shop:robot' } },
    },
    { text: 'How each request proved who it is.', link: { panel: 'requests' } },
  ],
  why: [
    'A token is a bearer’s: who holds it is the account. One that ends in ten minutes is worth little in a log file.',
    'One account for each program. Then a role says what that program does.',
  ],
};
