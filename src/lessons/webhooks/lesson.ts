import { apply, asked, object, original, send } from '../build.ts';
import { cards } from '../cards.ts';
import type { Lesson } from '../engine/lesson.ts';

const REG = 'admissionregistration.{domain}/v1';
const hooks = `/apis/${REG}/validatingwebhookconfigurations/guard`;
const maps = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;
const resource = `${REG}/validatingwebhookconfigurations`;

const start = `
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {guarded: "yes"}}
---
apiVersion: v1
kind: Namespace
metadata: {name: office}
---
apiVersion: ${REG}
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: guard.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Fail
  timeoutSeconds: 1
  clientConfig:
    service: {namespace: shop, name: guard, path: /check}
  rules:
  - apiGroups: [""]
    apiVersions: [v1]
    resources: [configmaps]
    operations: [CREATE]
`;

const map = (name: string): { readonly metadata: { readonly name: string } } => ({ metadata: { name } });

export const lesson: Lesson = {
  ...cards.webhooks,
  intro: [
    'The API server calls an admission webhook before it stores an object. The webhook can reject or change the object.',
    'So a broken webhook can block everybody. What happens when it doesn’t answer?',
  ],
  start: { steps: [apply(start)] },
  tasks: [
    {
      title: 'A webhook that doesn’t answer',
      text: [
        'The webhook `guard` is called for each new ConfigMap, in every namespace. Its service does not exist.',
        'Create a ConfigMap in the namespace office. The server refuses it: with `failurePolicy: Fail`, no answer means no.',
      ],
      where: { panel: 'explore', path: ['core', 'configmaps'], query: { ns: 'office' } },
      commands: ['{ctl} create configmap note -n office'],
      hints: ['Any ConfigMap works. Read the message: it names the webhook and the missing service.'],
      checks: [
        asked('A ConfigMap in office was refused because the webhook failed (500).', {
          method: 'POST',
          path: '/namespaces/office/configmaps',
          status: 500,
        }),
      ],
      solution: [send('POST', maps('office'), { body: map('note'), expect: 500 })],
      note: 'Look at the steps of the request: it ends at the webhook.',
    },
    {
      title: 'Call it for fewer namespaces',
      text: [
        'The webhook should only guard namespaces with the label `guarded: "yes"`. Give it a `namespaceSelector`.',
        'Then create the ConfigMap `note` in office: the webhook is not called. Try the same in shop: the server still refuses it.',
      ],
      where: { panel: 'explore', path: ['admissionregistration.{domain}', 'validatingwebhookconfigurations'] },
      commands: [
        `{ctl} patch validatingwebhookconfiguration guard --type=json -p '[{"op":"add","path":"/webhooks/0/namespaceSelector","value":{"matchLabels":{"guarded":"yes"}}}]'`,
        '{ctl} create configmap note -n office',
        '{ctl} create configmap note -n shop',
      ],
      note: 'Ask which namespaces should never depend on a webhook.',
      hints: [
        'Put `namespaceSelector: {matchLabels: {guarded: "yes"}}` beside `rules`.',
        'Don’t change `failurePolicy` yet.',
      ],
      checks: [
        object('The ConfigMap `note` exists in office.', 'v1/configmaps', 'office/note'),
        original(
          'The original webhook still has `failurePolicy: Fail`.',
          resource,
          'guard',
          { path: 'webhooks[0].failurePolicy', is: 'Fail' },
          { path: 'webhooks[0].rules[*].resources', has: 'configmaps' },
        ),
        asked('A ConfigMap in shop is still refused (500).', {
          method: 'POST',
          path: '/namespaces/shop/configmaps',
          status: 500,
          anew: true,
        }),
      ],
      solution: [
        send('PATCH', hooks, {
          contentType: 'application/json-patch+json',
          body: [{ op: 'add', path: '/webhooks/0/namespaceSelector', value: { matchLabels: { guarded: 'yes' } } }],
        }),
        send('POST', maps('office'), { body: map('note') }),
        send('POST', maps('shop'), { body: map('note'), expect: 500 }),
      ],
    },
    {
      title: 'Ignore failures',
      text: [
        'In shop the webhook is still called, and still doesn’t answer. Set its `failurePolicy` to `Ignore`: no answer means yes.',
        'Then create the ConfigMap `note` in shop. It can take a moment, because the server tries the webhook first.',
      ],
      where: { panel: 'explore', path: ['admissionregistration.{domain}', 'validatingwebhookconfigurations'] },
      commands: [
        `{ctl} patch validatingwebhookconfiguration guard --type=json -p '[{"op":"replace","path":"/webhooks/0/failurePolicy","value":"Ignore"}]'`,
        '{ctl} create configmap note -n shop',
      ],
      note: 'Show how long the request took. The server waited for the webhook first.',
      hints: ['Edit the configuration `guard`.', 'Then create the ConfigMap as before, in shop.'],
      checks: [
        original('The original webhook has `failurePolicy: Ignore`.', resource, 'guard', {
          path: 'webhooks[0].failurePolicy',
          is: 'Ignore',
        }),
        object(
          'It is still called for configmaps in guarded namespaces.',
          resource,
          'guard',
          { path: 'webhooks[0].rules[*].resources', has: 'configmaps' },
          { path: 'webhooks[0].namespaceSelector', not: {} },
        ),
        object('shop still has the label `guarded: "yes"`.', 'v1/namespaces', 'shop', {
          path: 'metadata.labels.guarded',
          is: 'yes',
        }),
        object('The ConfigMap `note` exists in shop.', 'v1/configmaps', 'shop/note'),
      ],
      solution: [
        send('PATCH', hooks, {
          contentType: 'application/json-patch+json',
          body: [{ op: 'replace', path: '/webhooks/0/failurePolicy', value: 'Ignore' }],
        }),
        send('POST', maps('shop'), { body: map('note') }),
      ],
    },
    {
      title: 'Call it for fewer kinds',
      text: [
        'With `Ignore`, a broken webhook protects nothing. It is better to be strict, but for few kinds.',
        'Set `failurePolicy` back to `Fail`, and change the rule from configmaps to `secrets`. Then create a ConfigMap `second` in shop.',
      ],
      where: { panel: 'explore', path: ['admissionregistration.{domain}', 'validatingwebhookconfigurations'] },
      commands: [
        `{ctl} patch validatingwebhookconfiguration guard --type=json -p '[{"op":"replace","path":"/webhooks/0/failurePolicy","value":"Fail"},{"op":"replace","path":"/webhooks/0/rules/0/resources","value":["secrets"]}]'`,
        '{ctl} create configmap second -n shop',
      ],
      note: 'A rule that names few kinds does little harm when the webhook is down.',
      hints: ['Set `webhooks[0].rules[0].resources` to `[secrets]`.'],
      checks: [
        original(
          'The original webhook has `failurePolicy: Fail`, and is only called for secrets.',
          resource,
          'guard',
          { path: 'webhooks[0].failurePolicy', is: 'Fail' },
          { path: 'webhooks[0].rules[*].resources', is: ['secrets'] },
        ),
        object('It is still called for guarded namespaces only.', resource, 'guard', {
          path: 'webhooks[0].namespaceSelector',
          not: {},
        }),
        object('The ConfigMap `second` exists in shop.', 'v1/configmaps', 'shop/second'),
      ],
      solution: [
        send('PATCH', hooks, {
          contentType: 'application/json-patch+json',
          body: [
            { op: 'replace', path: '/webhooks/0/failurePolicy', value: 'Fail' },
            { op: 'replace', path: '/webhooks/0/rules/0/resources', value: ['secrets'] },
          ],
        }),
        send('POST', maps('shop'), { body: map('second') }),
      ],
    },
  ],
  seen: [
    { text: 'The steps of a request through admission, and the webhook that stopped it.', link: { panel: 'requests' } },
    { text: 'A place to write your own webhook and see its calls.', link: { panel: 'webhooks' } },
  ],
  why: [
    'A strict webhook for all pods can lock a cluster. If its own pods stop, it can’t admit the new ones, so it never comes back.',
    'Exclude the system namespaces. Keep timeouts short. Decide for each webhook what no answer should mean.',
  ],
};
