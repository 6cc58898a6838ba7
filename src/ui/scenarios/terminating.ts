/** A namespace that does not go, because of a finalizer that nobody removes. */
import { configMaps, namespaces } from '../../client/index.ts';
import { go } from '../stores/address.ts';
import { asAdministrator, showList, writing, type Scenario } from './scenario.ts';
import manifests from './terminating.yaml?raw';

const OLD = 'old-project';
const bucket = { metadata: { name: 'external-bucket', namespace: OLD } };

const showDeleting = (): void =>
  go({ panel: 'lifecycle', path: ['deleting'], query: { obj: `core/namespaces/-/${OLD}`, sel: undefined } });

export const terminating: Scenario = {
  manifests,
  start: { panel: 'explore', path: ['core', 'configmaps'], query: { ns: OLD } },
  about: 'The namespace old-project is no longer needed. Something in it has a finalizer.',
  tries: [
    writing(
      'Delete the namespace',
      'Its pods end, and everything in it is deleted but one: the config map stays, and so does the namespace.',
      showDeleting,
      {
        done: 'The server accepted the deletion of the namespace.',
        failed: 'The namespace was not deleted.',
        send: (client) => client.of(namespaces).delete({ metadata: { name: OLD } }),
      },
    ),
    {
      title: 'What holds it?',
      look: 'external-bucket waits for example.com/delete-bucket, and no controller here knows that finalizer.',
      run: asAdministrator(() => showList('core/configmaps', OLD, 'external-bucket')),
    },
    writing(
      'Remove the finalizer',
      'The config map goes at once, and the namespace with it. What the finalizer stood for is left undone.',
      showDeleting,
      {
        done: 'The finalizer is gone.',
        failed: 'The finalizer was not removed.',
        send: (client) => client.of(configMaps).patch(bucket, 'merge', { metadata: { finalizers: null } }),
      },
    ),
  ],
};
