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
    'A delete is only a request. An object with finalizers stays until all of them are removed.',
    'A finalizer says that some program has to clean up first. What if that program is gone?',
  ],
  start: { steps: [apply(start)] },
  tasks: [
    {
      title: 'Delete an object with a finalizer',
      text: [
        'The ConfigMap `ledger` in shop has the finalizer `example.com/backup`. Delete the ConfigMap.',
        'It stays, with a `deletionTimestamp`. From now on you can only remove finalizers, not add any.',
      ],
      where: { panel: 'explore', path: ['core', 'configmaps'], query: { ns: 'shop' } },
      commands: ['{ctl} delete configmap ledger -n shop --wait=false'],
      note: 'Ask why the server does not call the program itself. It only waits for the list to become empty.',
      hints: ['Choose Delete in the menu of the ConfigMap.'],
      checks: [
        object('`ledger` is being deleted but still exists.', 'v1/configmaps', 'shop/ledger', {
          path: 'metadata.deletionTimestamp',
          exists: true,
        }),
        object('The namespace shop is not deleted.', 'v1/namespaces', 'shop', { path: 'status.phase', is: 'Active' }),
      ],
      solution: [send('DELETE', ledger)],
    },
    {
      title: 'Do the work, then remove the finalizer',
      text: [
        'Do the backup by hand. Copy the total into a new ConfigMap `ledger-backup` in shop.',
        'Then remove the finalizer from `ledger`. The object disappears at once.',
      ],
      where: { panel: 'lifecycle', path: ['deleting'] },
      commands: [
        '{ctl} create configmap ledger-backup -n shop --from-literal=total=120',
        `{ctl} patch configmap ledger -n shop --type=merge -p '{"metadata":{"finalizers":null}}'`,
      ],
      note: 'You play the controller here: do the work first, then remove the finalizer.',
      hints: ['Lifecycle, Deleting shows what blocks a deletion, and can remove a finalizer.', 'Make the copy first.'],
      checks: [
        object(
          '`ledger-backup` has the total and no finalizer.',
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
      title: 'A namespace that is stuck',
      text: [
        'Delete the namespace `attic`. It stays in the phase Terminating.',
        'Its conditions say why: an object in it still has a finalizer.',
      ],
      where: { panel: 'explore', path: ['core', 'namespaces'] },
      commands: ['{ctl} delete namespace attic --wait=false', '{ctl} get namespace attic -o yaml'],
      hints: ['Delete it, then look at its status. The condition is `NamespaceFinalizersRemaining`.'],
      checks: [
        object(
          '`attic` is terminating, and its status says that finalizers remain.',
          'v1/namespaces',
          'attic',
          { path: 'status.phase', is: 'Terminating' },
          { path: 'status.conditions[type=NamespaceFinalizersRemaining].status', is: 'True' },
        ),
      ],
      solution: [send('DELETE', '/api/v1/namespaces/attic')],
      note: 'A common tip is to clear the finalizer of the namespace itself. That leaves its contents behind, where nobody sees them.',
    },
    {
      title: 'Remove what blocks it',
      text: [
        'Don’t force the namespace. Find the object that blocks it, and remove its finalizer.',
        'Then the namespace is deleted by itself.',
      ],
      where: { panel: 'lifecycle', path: ['deleting'] },
      commands: [`{ctl} patch secret chest -n attic --type=merge -p '{"metadata":{"finalizers":null}}'`],
      note: 'The namespace disappears a moment after the Secret. A controller does it.',
      hints: ['The message of the condition names the finalizer. The object is the Secret `chest`.'],
      checks: [
        gone('The namespace `attic` is gone.', 'v1/namespaces', 'attic'),
        gone('The Secret `chest` is gone too.', 'v1/secrets', 'attic/chest'),
      ],
      solution: [merge('/api/v1/namespaces/attic/secrets/chest', { metadata: { finalizers: null } })],
    },
  ],
  seen: [
    { text: 'What blocks the deletion of an object.', link: { panel: 'lifecycle', path: ['deleting'] } },
    { text: 'What a deletion would remove, before you do it.', link: { panel: 'lifecycle', path: ['graph'] } },
  ],
  why: [
    'A finalizer stays when the program that set it is gone. If you uninstall an operator before its objects, they are stuck.',
    'If you remove a finalizer by hand, you say that the work is done. First check that it is.',
  ],
};
