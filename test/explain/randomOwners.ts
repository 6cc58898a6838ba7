/** Random graphs of owners over many kinds, made in a real cluster. */
import fc from 'fast-check';
import type { KnownObject, ScopeOf } from '../../src/explain/index.ts';
import { template, type Bench, type Loose } from '../controllers/bench.ts';

/** A kind of the graph: where its objects are, and the least that one needs. */
interface DrawnKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly body: (name: string) => object;
}

const GROUP = 'graph.example.com';

/** A template whose pods are of one owner alone. */
const workload = (name: string): object => ({
  spec: { replicas: 1, selector: { matchLabels: { app: name } }, template: template({ app: name }) },
});

export const KINDS: readonly DrawnKind[] = [
  { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true, body: () => ({}) },
  { apiVersion: `${GROUP}/v1`, kind: 'Thing', plural: 'things', namespaced: true, body: () => ({}) },
  { apiVersion: `${GROUP}/v1`, kind: 'Realm', plural: 'realms', namespaced: false, body: () => ({}) },
  { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false, body: () => ({}) },
  { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments', namespaced: true, body: workload },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', plural: 'replicasets', namespaced: true, body: workload },
  { apiVersion: 'apps/v1', kind: 'StatefulSet', plural: 'statefulsets', namespaced: true, body: workload },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    plural: 'pods',
    namespaced: true,
    body: () => ({ spec: { containers: [{ name: 'c', image: 'nginx' }] } }),
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    plural: 'services',
    namespaced: true,
    body: () => ({ spec: { ports: [{ port: 80 }] } }),
  },
];

/** As discovery tells it. */
export const scopeOf: ScopeOf = (group, kind) => {
  const known = KINDS.find((each) => each.kind === kind && groupOf(each.apiVersion) === group);
  return known && (known.namespaced ? 'Namespaced' : 'Cluster');
};

const groupOf = (apiVersion: string): string => (apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '');

/** One reference: to an earlier object, to one that never was, or to one of a kind that nobody serves. */
interface DrawnOwner {
  readonly to: number | 'missing' | 'unserved';
  readonly blocks: boolean;
}

interface DrawnObject {
  readonly kind: number;
  /** Which of the two namespaces it is in. */
  readonly home: 0 | 1;
  readonly owners: readonly DrawnOwner[];
  readonly held: boolean;
}

export interface DrawnGraph {
  readonly objects: readonly DrawnObject[];
  /** Which object is deleted, counted among all that there are once controllers have made theirs. */
  readonly target: number;
  /** An owner that the first object gets in the end, which may close a circle. */
  readonly circle: number | undefined;
  /** An object that is being deleted already, and waits. */
  readonly leaving: number | undefined;
}

const owner: fc.Arbitrary<DrawnOwner> = fc.record({
  to: fc.oneof(
    { weight: 10, arbitrary: fc.nat(8) },
    { weight: 1, arbitrary: fc.constant('missing' as const) },
    { weight: 1, arbitrary: fc.constant('unserved' as const) },
  ),
  blocks: fc.boolean(),
});

const drawnObject: fc.Arbitrary<DrawnObject> = fc.record({
  kind: fc.nat(KINDS.length - 1),
  // Most are in one namespace, so that most references can be followed.
  home: fc.nat(5).map((n) => (n === 0 ? 1 : 0)),
  owners: fc.uniqueArray(owner, { maxLength: 3, selector: ({ to }) => to }),
  held: fc.nat(5).map((n) => n === 0),
});

export const drawnGraphs: fc.Arbitrary<DrawnGraph> = fc.record({
  objects: fc.array(drawnObject, { minLength: 2, maxLength: 9 }),
  target: fc.nat(40),
  circle: fc.option(fc.nat(8), { nil: undefined, freq: 3 }),
  leaving: fc.option(fc.nat(8), { nil: undefined, freq: 5 }),
});

/** Defines the graph's own kinds. */
export async function defineKinds(bench: Bench): Promise<void> {
  for (const { apiVersion, kind, plural, namespaced } of KINDS.filter((each) => each.apiVersion.startsWith(GROUP))) {
    const schema = { openAPIV3Schema: { type: 'object', 'x-preserve-unknown-fields': true } };
    const version = apiVersion.split('/')[1];
    await bench.create('/apis/apiextensions.cluster.io/v1/customresourcedefinitions', {
      metadata: { name: `${plural}.${GROUP}` },
      spec: {
        ...{ group: GROUP, scope: namespaced ? 'Namespaced' : 'Cluster', names: { plural, kind } },
        versions: [{ name: version, served: true, storage: true, schema }],
      },
    });
    const list = `/apis/${apiVersion}/${plural}`;
    await bench.until(list, (answer) => Array.isArray(answer.items));
  }
}

const rootOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;

export function pathOf({ apiVersion, kind, metadata: { namespace = '', name = '' } }: KnownObject): string {
  const plural = KINDS.find((each) => each.kind === kind)?.plural ?? `${kind.toLowerCase()}s`;
  const place = namespace === '' ? '' : `/namespaces/${namespace}`;
  return `${rootOf(apiVersion)}${place}/${plural}/${name}`;
}

const listOf = ({ apiVersion, plural, namespaced }: DrawnKind, namespace: string): string =>
  `${rootOf(apiVersion)}${namespaced ? `/namespaces/${namespace}` : ''}/${plural}`;

/** Makes a graph; `tag` is in the names of all of its objects. Answers with the graph's objects, in their order. */
export async function makeGraph(bench: Bench, tag: string, graph: DrawnGraph): Promise<readonly KnownObject[]> {
  const homes = [`${tag}-home`, `${tag}-away`];
  for (const name of homes) await bench.create('/api/v1/namespaces', { metadata: { name } });
  for (const name of homes)
    await bench.until(`/api/v1/namespaces/${name}/serviceaccounts/default`, ({ secrets }) => secrets?.length > 0);
  const made: KnownObject[] = [];
  for (const [i, { kind, home, owners, held }] of graph.objects.entries()) {
    const drawn = KINDS[kind] as DrawnKind;
    const name = `${tag}-${drawn.kind.toLowerCase()}-${i}`;
    const ownerReferences = owners.flatMap((each) => referenceTo(each, made));
    const metadata = { name, ownerReferences, finalizers: held ? ['example.com/hold'] : [] };
    const object: Loose = await bench.create(listOf(drawn, homes[home] ?? ''), {
      apiVersion: drawn.apiVersion,
      kind: drawn.kind,
      ...drawn.body(name),
      metadata,
    });
    made.push({ ...object, apiVersion: drawn.apiVersion, kind: drawn.kind });
  }
  await bench.advance(300);
  await closeCircle(bench, graph, made);
  const leaving = graph.leaving === undefined ? undefined : made[graph.leaving];
  if (leaving) await bench.delete(pathOf(leaving), { propagationPolicy: 'Foreground' });
  await bench.advance(300);
  return made;
}

async function closeCircle(bench: Bench, { circle }: DrawnGraph, made: readonly KnownObject[]): Promise<void> {
  const [first] = made;
  if (circle === undefined || !first) return;
  const ownerReferences = referenceTo({ to: circle, blocks: true }, made);
  if (ownerReferences.length > 0) await bench.send('PATCH', pathOf(first), { metadata: { ownerReferences } }, MERGE);
}

const MERGE = 'application/merge-patch+json';

function referenceTo({ to, blocks }: DrawnOwner, made: readonly KnownObject[]): readonly object[] {
  const more = blocks ? { blockOwnerDeletion: true } : {};
  if (to === 'missing') return [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: 'never-was', ...more }];
  if (to === 'unserved')
    return [{ apiVersion: 'nowhere.example.com/v1', kind: 'Ghost', name: 'ghost', uid: 'ghost', ...more }];
  const { apiVersion, kind, metadata } = made[to] ?? {};
  return metadata ? [{ apiVersion, kind, name: metadata.name, uid: metadata.uid, ...more }] : [];
}

/** Kinds whose objects follow from others, so that a namespace waits for them too. */
const OTHERS = ['secrets', 'serviceaccounts', 'endpoints'].map((plural) => ({ apiVersion: 'v1', plural }));
const CHILDREN: Readonly<Record<string, string>> = {
  secrets: 'Secret',
  serviceaccounts: 'ServiceAccount',
  endpoints: 'Endpoints',
};

/** Everything that there is of a graph: what was made, what controllers made of it, and what its namespaces hold. */
export async function objectsOf(bench: Bench, tag: string): Promise<readonly KnownObject[]> {
  const lists = [
    ...KINDS,
    ...OTHERS.map(({ apiVersion, plural }) => ({ apiVersion, plural, kind: CHILDREN[plural] ?? '' })),
    { apiVersion: 'apps/v1', plural: 'controllerrevisions', kind: 'ControllerRevision' },
    { apiVersion: 'discovery.cluster.io/v1beta1', plural: 'endpointslices', kind: 'EndpointSlice' },
  ];
  const found: KnownObject[] = [];
  for (const { apiVersion, plural, kind } of lists)
    for (const object of await bench.items(`${rootOf(apiVersion)}/${plural}`))
      if (belongs(object, tag)) found.push({ ...object, apiVersion, kind });
  return found;
}

const belongs = ({ metadata }: Loose, tag: string): boolean =>
  metadata.namespace?.startsWith(`${tag}-`) || metadata.name.startsWith(`${tag}-`);

/** Removes a graph, whatever holds it. */
export async function removeGraph(bench: Bench, tag: string): Promise<void> {
  for (const object of await objectsOf(bench, tag)) {
    if (object.metadata.name?.startsWith(tag) && object.kind !== 'Namespace')
      await bench.send('PATCH', pathOf(object), { metadata: { finalizers: null, ownerReferences: null } }, MERGE);
    if (object.kind === 'Realm' || object.kind === 'Namespace') await bench.delete(pathOf(object));
  }
}
