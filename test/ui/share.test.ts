import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Client, discover } from '../../src/client/index.ts';
import { namesOf, profiles } from '../../src/names/index.ts';
import type { ApiObject } from '../../src/schema/index.ts';
import { delay, realClock } from '../../src/std/index.ts';
import { applyManifests } from '../../src/ui/editor/apply.ts';
import { readManifests } from '../../src/ui/editor/documents.ts';
import { shop } from '../../src/ui/scenarios/shop.ts';
import { collect, countKinds, printManifests } from '../../src/ui/share/collect.ts';
import { decodeLink, encodeLink } from '../../src/ui/share/link.ts';
import { isPeoples, manifestOf } from '../../src/ui/share/manifestOf.ts';
import { parseAddress } from '../../src/ui/stores/address.ts';
import type { Recipe } from '../../src/ui/share/recipe.ts';
import { asTransport, clusterFor, openInPage } from './transport.ts';

const recipe = (manifests: string): Recipe => ({ name: 'shop', options: { naming: 'k8s.io', nodes: 3 }, manifests });

describe('a link', () => {
  it('carries any manifests, and nothing that a fragment can’t hold', async () => {
    const property = fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 3_000 }), async (manifests) => {
      const link = await encodeLink(recipe(manifests));
      expect(link).toMatch(/^1\.[A-Za-z0-9_-]+$/);
      expect(await decodeLink(link)).toEqual(recipe(manifests));
    });
    await fc.assert(property, { seed: 15, numRuns: 40 });
  });

  it.each([
    ['cut off', (link: string) => link.slice(0, -20), 'not complete'],
    ['changed', (link: string) => `${link.slice(0, 30)}%%%${link.slice(30)}`, 'not complete'],
    ['of another version', (link: string) => link.replace('1.', '7.'), 'another version'],
    ['empty', () => '', 'not complete'],
    ['without a version', (link: string) => link.slice(2), 'not complete'],
  ])('that is %s says so', async (_what, spoil, words) => {
    await expect(decodeLink(spoil(await encodeLink(recipe('kind: ConfigMap'))))).rejects.toThrow(words);
  });

  it('that unpacks to very much is not unpacked', async () => {
    const link = await encodeLink(recipe('x'.repeat(5_100_000)));
    expect(link.length).toBeLessThan(20_000);
    await expect(decodeLink(link)).rejects.toThrow('more than 5 MB');
  });

  it('is no address of a cluster', () => {
    expect(parseAddress('#share=1.abc')).toEqual({ cluster: '', panel: '', path: [], query: {}, shared: '1.abc' });
    expect(parseAddress('#/share=1.abc').shared).toBeUndefined();
  });
});

const names = namesOf('k8s.io');
const managed = (kind: string, manager: string, more: object = {}): ApiObject =>
  ({ kind, metadata: { name: 'a', managedFields: [{ manager }], ...more } }) as unknown as ApiObject;

describe('what people made', () => {
  it.each<[string, ApiObject, boolean]>([
    ['a deployment of a person', managed('Deployment', 'vitrine'), true],
    ['one by a command line', managed('Deployment', 'kubectl-client-side-apply'), true],
    ['a role of the server', managed('ClusterRole', 'kube-apiserver'), false],
    ['a volume of a controller', managed('PersistentVolume', 'kube-controller-manager'), false],
    ['a pod of a replica set', managed('Pod', 'x', { ownerReferences: [{ controller: true }] }), false],
    ['what is being deleted', managed('Pod', 'x', { deletionTimestamp: 'now' }), false],
    ['an event', managed('Event', 'x'), false],
    ['a node', managed('Node', 'vitrine'), false],
  ])('%s', (_what, object, expected) => expect(isPeoples(object, names)).toBe(expected));

  it('is written without what the server filled in', () => {
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '7', finalizers: ['example.com/mine'] },
      spec: { clusterIP: '10.0.0.7', clusterIPs: ['10.0.0.7'], sessionAffinity: 'None', ports: [{ port: 80 }] },
      status: {},
    } as unknown as ApiObject;
    expect(manifestOf(service, names, false)).toEqual({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a', namespace: 'n', finalizers: ['example.com/mine'] },
      spec: { ports: [{ port: 80 }] },
    });
  });

  it('hides the values of secrets unless they are asked for', () => {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      data: { key: btoa('real') },
    } as unknown as ApiObject;
    expect(manifestOf(secret, names, false)['data']).toEqual({ key: btoa('hidden') });
    expect(manifestOf(secret, names, true)['data']).toEqual({ key: btoa('real') });
  });

  it('is counted by kind', () => {
    expect(countKinds(['Service', 'NetworkPolicy', 'Ingress', 'NetworkPolicy', 'Ingress'])).toBe(
      '1 Service, 2 NetworkPolicies, 2 Ingresses',
    );
  });
});

const how = { way: 'merge', force: false, dryRun: false, namespace: 'default' } as const;
const clock = realClock();
const controllers = ['serviceaccount', 'serviceaccount-token', 'deployment', 'replicaset', 'root-ca-cert-publisher'];

describe.each(profiles)('the shop, taken from a cluster of one profile to one of %s', (profile) => {
  it('is the same shop there', async () => {
    const other = profile === 'k8s.io' ? 'cluster.io' : 'k8s.io';
    const counts: string[] = [];
    let text = namesOf(other).fill(shop.manifests);
    for (const [naming, to] of [
      [other, profile],
      [profile, profile],
    ] as const) {
      const cluster = await clusterFor(naming, controllers);
      openInPage(cluster, naming);
      const client = new Client({ transport: asTransport(cluster), names: namesOf(naming) });
      const { resources, preferred } = await discover(client);
      const served = { versions: () => resources, reload: () => Promise.resolve() };
      const outcomes = await applyManifests(client, served, readManifests(text), how, (ms) => delay(clock, ms));
      expect(outcomes.filter(({ did }) => did === 'failed')).toEqual([]);
      const objects = await collect(client, preferred, namesOf(naming));
      counts.push(countKinds(objects.map(({ kind }) => kind ?? '')));
      text = printManifests(objects, namesOf(naming), to, true);
      await cluster.stop();
    }
    expect(counts[0]).toContain('4 Deployments');
    expect(counts[1]).toBe(counts[0]);
    expect(text).not.toContain(namesOf(other).domain);
  }, 60_000);
});
