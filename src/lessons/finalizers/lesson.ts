import { apply, gone, merge, object, send } from '../build.ts';
import { cards } from '../cards.ts';
import type { Lesson } from '../engine/lesson.ts';

const start = `
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: ledger, namespace: shop, finalizers: [example.com/backup]}
data: {total: "120"}
---
apiVersion: v1
kind: Namespace
metadata: {name: attic}
---
apiVersion: v1
kind: Secret
metadata: {name: chest, namespace: attic, finalizers: [example.com/inventory]}
`;

const ledger = '/api/v1/namespaces/shop/configmaps/ledger';

export const lesson: Lesson = {
  ...cards.finalizers,
  intro: [
    'To delete is to ask. An object with finalizers stays until each of them is taken off.',
    'A finalizer is a promise: somebody has something to do first. What if nobody keeps it?',
  ],
  start: { steps: [apply(start)] },
  tasks: [
    {
      title: 'Delete what won’t go',
      text: [
        'The ConfigMap `ledger` in shop has the finalizer `example.com/backup`. Delete it.',
        'It stays, with a `deletionTimestamp`. From now on it can only lose finalizers.',
      ],
      where: { panel: 'explore', path: ['core', 'configmaps'], query: { ns: 'shop' } },
      commands: ['{ctl} delete configmap ledger -n shop --wait=false'],
      hints: ['The menu of the ConfigMap has Delete.'],
      checks: [
        object('`ledger` is being deleted, and still there.', 'v1/configmaps', 'shop/ledger', {
          path: 'metadata.deletionTimestamp',
          exists: true,
        }),
        object('The namespace shop stays.', 'v1/namespaces', 'shop', { path: 'status.phase', is: 'Active' }),
      ],
      solution: [send('DELETE', ledger)],
    },
    {
      title: 'Do the work, then let go',
      text: [
        'You are the backup now. Copy the total into a new ConfigMap `ledger-backup` in shop.',
        'Then take the finalizer off. The object is gone at that moment.',
      ],
      where: { panel: 'lifecycle', path: ['deleting'] },
      commands: [
        '{ctl} create configmap ledger-backup -n shop --from-literal=total=120',
        `{ctl} patch configmap ledger -n shop --type=merge -p '{"metadata":{"finalizers":null}}'`,
      ],
      hints: ['Lifecycle, Deleting shows what holds an object, and can take a finalizer off.', 'Make the copy first.'],
      checks: [
        object(
          '`ledger-backup` holds the total, and no finalizer.',
          'v1/configmaps',
          'shop/ledger-backup',
          { path: 'data.total', is: '120' },
          { path: 'metadata.finalizers', exists: false },
        ),
        gone('`ledger` is gone.', 'v1/configmaps', 'shop/ledger'),
      ],
      solution: [
        apply(
          '{apiVersion: v1, kind: ConfigMap, metadata: {name: ledger-backup, namespace: shop}, data: {total: "120"}}',
        ),
        merge(ledger, { metadata: { finalizers: null } }),
      ],
    },
    {
      title: 'A namespace that hangs',
      text: [
        'Delete the namespace `attic`. It stays in the phase Terminating.',
        'Its conditions say why: something in it still has a finalizer.',
      ],
      where: { panel: 'explore', path: ['core', 'namespaces'] },
      commands: ['{ctl} delete namespace attic --wait=false', '{ctl} get namespace attic -o yaml'],
      hints: ['Delete it, then look at its status. The condition is `NamespaceFinalizersRemaining`.'],
      checks: [
        object(
          '`attic` is terminating, and says that finalizers remain.',
          'v1/namespaces',
          'attic',
          { path: 'status.phase', is: 'Terminating' },
          { path: 'status.conditions[type=NamespaceFinalizersRemaining].status', is: 'True' },
        ),
      ],
      solution: [send('DELETE', '/api/v1/namespaces/attic')],
      note: 'People on the internet advise to clear the namespace’s own finalizer. Then its contents stay behind, invisible.',
    },
    {
      title: 'Free what holds it',
      text: [
        'Don’t force the namespace. Find the object that holds it, and take off that finalizer.',
        'Then the namespace goes by itself.',
      ],
      where: { panel: 'lifecycle', path: ['deleting'] },
      commands: [`{ctl} patch secret chest -n attic --type=merge -p '{"metadata":{"finalizers":null}}'`],
      hints: ['The condition’s message names the finalizer. The object is the Secret `chest`.'],
      checks: [
        gone('The namespace `attic` is gone.', 'v1/namespaces', 'attic'),
        gone('Nothing of it is left: the Secret `chest` is gone, too.', 'v1/secrets', 'attic/chest'),
      ],
      solution: [merge('/api/v1/namespaces/attic/secrets/chest', { metadata: { finalizers: null } })],
    },
  ],
  seen: [
    { text: 'What holds an object that is being deleted.', link: { panel: 'lifecycle', path: ['deleting'] } },
    { text: 'What a deletion takes along, before you do it.', link: { panel: 'lifecycle', path: ['graph'] } },
  ],
  why: [
    'A finalizer outlives the program that set it. Uninstall an operator before its objects, and they hang for ever.',
    'To take a finalizer off by hand is to say that the work is done. Look first whether it is.',
  ],
};
