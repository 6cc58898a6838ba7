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
    'An admission webhook is asked before an object is stored. It may refuse, or change it.',
    'So it stands in everybody’s way. What happens when it doesn’t answer?',
  ],
  start: { steps: [apply(start)] },
  tasks: [
    {
      title: 'Meet a dead webhook',
      text: [
        'The webhook `guard` is asked about each new ConfigMap, in every namespace. Its service does not exist.',
        'Create a ConfigMap in the namespace office. It is refused: `failurePolicy: Fail` means no answer is a no.',
      ],
      where: { panel: 'explore', path: ['core', 'configmaps'], query: { ns: 'office' } },
      commands: ['{ctl} create configmap note -n office'],
      hints: ['Any ConfigMap will do. Read the message: it names the webhook and the missing service.'],
      checks: [
        asked('A ConfigMap in office was refused because the webhook failed (500).', {
          method: 'POST',
          path: '/namespaces/office/configmaps',
          status: 500,
        }),
      ],
      solution: [send('POST', maps('office'), { body: map('note'), expect: 500 })],
      note: 'Look at the request’s way: the step of the webhook is where it ends.',
    },
    {
      title: 'Ask it about less',
      text: [
        'The guard is meant for namespaces with the label `guarded: "yes"`. Say so: give the webhook a `namespaceSelector`.',
        'Then create the ConfigMap `note` in office: nobody is asked. Try the same in shop: there it is still refused.',
      ],
      where: { panel: 'explore', path: ['admissionregistration.{domain}', 'validatingwebhookconfigurations'] },
      commands: [
        `{ctl} patch validatingwebhookconfiguration guard --type=json -p '[{"op":"add","path":"/webhooks/0/namespaceSelector","value":{"matchLabels":{"guarded":"yes"}}}]'`,
        '{ctl} create configmap note -n office',
        '{ctl} create configmap note -n shop',
      ],
      hints: [
        '`namespaceSelector: {matchLabels: {guarded: "yes"}}`, beside `rules`.',
        'Leave `failurePolicy` as it is for now.',
      ],
      checks: [
        object('The ConfigMap `note` is in office.', 'v1/configmaps', 'office/note'),
        original(
          'The webhook from the start is still strict.',
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
      title: 'Let failure pass',
      text: [
        'In shop the guard is still asked, and still dead. Set its `failurePolicy` to `Ignore`: no answer is a yes.',
        'Then create the ConfigMap `note` in shop. It takes a moment: the server waits for the answer first.',
      ],
      where: { panel: 'explore', path: ['admissionregistration.{domain}', 'validatingwebhookconfigurations'] },
      commands: [
        `{ctl} patch validatingwebhookconfiguration guard --type=json -p '[{"op":"replace","path":"/webhooks/0/failurePolicy","value":"Ignore"}]'`,
        '{ctl} create configmap note -n shop',
      ],
      hints: ['Edit the configuration `guard`.', 'Then create the ConfigMap as before, in shop.'],
      checks: [
        original('Failures of the guard from the start are ignored.', resource, 'guard', {
          path: 'webhooks[0].failurePolicy',
          is: 'Ignore',
        }),
        object(
          'It is still asked about configmaps of guarded namespaces.',
          resource,
          'guard',
          { path: 'webhooks[0].rules[*].resources', has: 'configmaps' },
          { path: 'webhooks[0].namespaceSelector', not: {} },
        ),
        object('shop is still guarded.', 'v1/namespaces', 'shop', { path: 'metadata.labels.guarded', is: 'yes' }),
        object('The ConfigMap `note` is in shop.', 'v1/configmaps', 'shop/note'),
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
      title: 'Narrow the rule',
      text: [
        'Now a dead guard guards nothing. Better: be strict, but ask about few things.',
        'Set `failurePolicy` back to `Fail`, and let the rule be about `secrets` instead of configmaps. Then create a ConfigMap `second` in shop.',
      ],
      where: { panel: 'explore', path: ['admissionregistration.{domain}', 'validatingwebhookconfigurations'] },
      commands: [
        `{ctl} patch validatingwebhookconfiguration guard --type=json -p '[{"op":"replace","path":"/webhooks/0/failurePolicy","value":"Fail"},{"op":"replace","path":"/webhooks/0/rules/0/resources","value":["secrets"]}]'`,
        '{ctl} create configmap second -n shop',
      ],
      hints: ['`webhooks[0].rules[0].resources: [secrets]`'],
      checks: [
        original(
          'The guard from the start is strict, and only about secrets.',
          resource,
          'guard',
          { path: 'webhooks[0].failurePolicy', is: 'Fail' },
          { path: 'webhooks[0].rules[*].resources', is: ['secrets'] },
        ),
        object('It still asks about guarded namespaces only.', resource, 'guard', {
          path: 'webhooks[0].namespaceSelector',
          not: {},
        }),
        object('The ConfigMap `second` is in shop.', 'v1/configmaps', 'shop/second'),
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
    { text: 'A request’s way through admission, and the guard that stopped it.', link: { panel: 'requests' } },
    { text: 'Where you write a webhook of your own, and see each of its calls.', link: { panel: 'webhooks' } },
  ],
  why: [
    'A strict webhook on everything, whose own pods it has to admit, locks the cluster: it can’t come back, because it isn’t there to allow itself.',
    'Leave out the system’s namespaces. Keep timeouts short. Decide for each webhook what no answer means.',
  ],
};
