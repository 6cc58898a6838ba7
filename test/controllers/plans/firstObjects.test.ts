/** Which objects a controller waits for before its code is loaded. */
import { expect, test } from 'vitest';
import { controllers } from '../../../src/controllers/index.ts';
import { namesOf } from '../../../src/names/index.ts';
import type { Loose } from '../lab.ts';
import { minute } from './objects.ts';

const names = namesOf('cluster.io');
const SKIP = 'endpointslice.cluster.io/skip-mirror';

/** The resources whose object of this kind makes the controller start. */
const wokenBy = (name: string, object: Loose): string[] =>
  (controllers.find((each) => each.name === name)?.wakesOn ?? [])
    .filter(({ concerns }) => concerns({ metadata: {}, spec: {}, status: {}, ...object }, names))
    .map(({ ref }) => ref.resource);

test.each<[controller: string, object: Loose, woken: string[]]>([
  ['namespace', {}, []],
  ['namespace', { metadata: { deletionTimestamp: minute(0) } }, ['namespaces']],
  ['endpoint', {}, []],
  ['endpoint', { spec: { selector: {} } }, []],
  ['endpoint', { spec: { selector: { app: 'web' } } }, ['services']],
  ['endpointslice', { spec: { selector: {} } }, []],
  ['endpointslice', { spec: { selector: { app: 'web' } } }, ['services']],
  ['endpointslicemirroring', {}, ['endpoints']],
  ['endpointslicemirroring', { metadata: { labels: { [SKIP]: 'false' } } }, ['endpoints']],
  ['endpointslicemirroring', { metadata: { labels: { [SKIP]: 'true' } } }, []],
  ['service', {}, []],
  ['service', { spec: { type: 'ClusterIP' } }, []],
  ['service', { spec: { type: 'LoadBalancer' } }, ['services']],
  ['persistentvolume-expander', { status: { phase: 'Pending' } }, []],
  ['persistentvolume-expander', { status: { phase: 'Bound' } }, ['persistentvolumeclaims']],
  ['attachdetach', {}, ['volumeattachments']],
  ['attachdetach', { spec: { csi: { driver: 'd' } } }, ['persistentvolumes', 'volumeattachments']],
  ['persistentvolume-binder', {}, ['persistentvolumes', 'persistentvolumeclaims']],
  ['deployment', {}, ['deployments']],
  ['nodelifecycle', {}, []],
])('%s with %j: %j', (controller, object, woken) => {
  expect(wokenBy(controller, object)).toEqual(woken);
});
