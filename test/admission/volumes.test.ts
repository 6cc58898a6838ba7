/** Plugins that look at claims, volumes, classes and nodes. */
import { describe, expect, it } from 'vitest';
import { pluginIn, request, verdictOf, type Raw, type World } from './helpers.ts';

const claim = (spec: Raw = {}, metadata: Raw = {}, status: Raw = {}): Raw => ({
  metadata: { name: 'v', ...metadata },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  status,
});
const marked = (name: string, more: Raw = {}): Raw => ({
  metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'p',
  ...more,
});

describe('DefaultStorageClass', () => {
  const classes = (...all: readonly Raw[]): World => ({ objects: { 'storageclasses.storage.k8s.io': all } });
  it.each<[string, World, Raw, unknown]>([
    ['the default', classes(marked('a')), claim(), 'a'],
    ['none marked', classes({ metadata: { name: 'a' }, provisioner: 'p' }), claim(), undefined],
    ['its own', classes(marked('a')), claim({ storageClassName: 'b' }), 'b'],
    ['none on purpose', classes(marked('a')), claim({ storageClassName: '' }), ''],
    [
      'its own, by annotation',
      classes(marked('a')),
      claim({}, { annotations: { 'volume.beta.kubernetes.io/storage-class': 'b' } }),
      undefined,
    ],
    [
      'two that are marked',
      classes(marked('a'), marked('b')),
      claim(),
      '403 persistentvolumeclaims "v" is forbidden: Internal error occurred: 2 default StorageClasses were found',
    ],
  ])('%s', async (_what, world, object, expected) => {
    const attributes = request('CREATE persistentvolumeclaims', { object });
    const verdict = await verdictOf(pluginIn('DefaultStorageClass', world), attributes);
    expect(verdict === 'allowed' ? (attributes.object?.['spec'] as Raw)['storageClassName'] : verdict).toBe(expected);
  });
});

describe('DefaultIngressClass', () => {
  const ingressClass = (name: string): Raw => ({
    metadata: { name, annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
    spec: { controller: 'a.b/c' },
  });
  const classes = (...names: readonly string[]): World => ({
    objects: { 'ingressclasses.networking.k8s.io': names.map(ingressClass) },
  });
  const ingress = (spec: Raw = {}, metadata: Raw = {}): Raw => ({
    metadata: { name: 'i', ...metadata },
    spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } }, ...spec },
  });
  it.each<[string, World, Raw, unknown]>([
    ['the default', classes('a'), ingress(), 'a'],
    ['none', classes(), ingress(), undefined],
    ['its own', classes('a'), ingress({ ingressClassName: 'b' }), 'b'],
    [
      'its own, by annotation',
      classes('a'),
      ingress({}, { annotations: { 'kubernetes.io/ingress.class': 'b' } }),
      undefined,
    ],
    [
      'two that are marked',
      classes('a', 'b'),
      ingress(),
      '403 ingresses.networking.k8s.io "i" is forbidden: Internal error occurred: 2 default IngressClasses were found, only 1 allowed',
    ],
  ])('%s', async (_what, world, object, expected) => {
    const attributes = request('CREATE ingresses.networking.k8s.io', { object });
    const verdict = await verdictOf(pluginIn('DefaultIngressClass', world), attributes);
    expect(verdict === 'allowed' ? (attributes.object?.['spec'] as Raw)['ingressClassName'] : verdict).toBe(expected);
  });

  it('ignores writes through the old group', async () => {
    const attributes = request('CREATE ingresses.extensions', { object: ingress() });
    expect(await verdictOf(pluginIn('DefaultIngressClass', classes('a')), attributes)).toBe('allowed');
    expect((attributes.object?.['spec'] as Raw)['ingressClassName']).toBeUndefined();
  });
});

describe('PersistentVolumeClaimResize', () => {
  const bound = { phase: 'Bound' };
  const size = (storage: string): Raw => ({ resources: { requests: { storage } }, storageClassName: 'a' });
  const world: World = {
    objects: {
      'storageclasses.storage.k8s.io': [marked('a', { allowVolumeExpansion: true }), marked('fixed')],
    },
  };
  const ONLY_DYNAMIC =
    '403 persistentvolumeclaims "v" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
  it.each<[string, Raw, Raw, string]>([
    ['more, where the class allows it', claim(size('2Gi')), claim(size('1Gi'), {}, bound), 'allowed'],
    ['as much', claim(size('1024Mi')), claim(size('1Gi'), {}, {}), 'allowed'],
    ['less is for validation', claim(size('1Mi')), claim(size('1Gi'), {}, {}), 'allowed'],
    [
      'more, before it is bound',
      claim(size('2Gi')),
      claim(size('1Gi')),
      '403 persistentvolumeclaims "v" is forbidden: Only bound persistent volume claims can be expanded',
    ],
    [
      'more, of a class that does not grow',
      claim({ ...size('2Gi'), storageClassName: 'fixed' }),
      claim({ ...size('1Gi'), storageClassName: 'fixed' }, {}, bound),
      ONLY_DYNAMIC,
    ],
    [
      'more, of no class',
      claim({ ...size('2Gi'), storageClassName: '' }),
      claim({ ...size('1Gi'), storageClassName: '' }, {}, bound),
      ONLY_DYNAMIC,
    ],
    [
      'more, of a class that is gone',
      claim({ ...size('2Gi'), storageClassName: 'x' }),
      claim({ ...size('1Gi'), storageClassName: 'x' }, {}, bound),
      ONLY_DYNAMIC,
    ],
  ])('%s', async (_what, object, old, expected) => {
    const plugin = pluginIn('PersistentVolumeClaimResize', world);
    expect(await verdictOf(plugin, request('UPDATE persistentvolumeclaims', { object, old }))).toBe(expected);
  });
});

describe('StorageObjectInUseProtection', () => {
  it.each<[string, Raw, readonly string[] | undefined]>([
    ['CREATE persistentvolumeclaims', claim(), ['kubernetes.io/pvc-protection']],
    [
      'CREATE persistentvolumes',
      { metadata: { name: 'v', finalizers: ['a/b'] }, spec: {} },
      ['a/b', 'kubernetes.io/pv-protection'],
    ],
    [
      'CREATE persistentvolumeclaims',
      claim({}, { finalizers: ['kubernetes.io/pvc-protection'] }),
      ['kubernetes.io/pvc-protection'],
    ],
    ['CREATE configmaps', { metadata: { name: 'm' } }, undefined],
  ])('%s %j', async (what, object, expected) => {
    const attributes = request(what, { object });
    await verdictOf(pluginIn('StorageObjectInUseProtection'), attributes);
    expect(attributes.object?.metadata.finalizers).toEqual(expected);
  });
});

describe('PersistentVolumeLabel', () => {
  const volume = (spec: Raw, metadata: Raw = {}): Raw => ({ metadata: { name: 'v', ...metadata }, spec });
  const zone = { 'topology.kubernetes.io/zone': 'a__b', 'topology.kubernetes.io/region': 'r' };
  const provisioned = { labels: zone, annotations: { 'pv.kubernetes.io/provisioned-by': 'p' } };
  const disk = { gcePersistentDisk: { pdName: 'd' } };
  const NO_CLOUD =
    '403 persistentvolumes "v" is forbidden: error querying GCE PD volume: there is no cloud provider that could be asked';
  it.each<[string, Raw, unknown]>([
    ['no volume of a cloud', volume({ hostPath: { path: '/a' } }), undefined],
    ['a disk that somebody made by hand', volume(disk, { labels: zone }), NO_CLOUD],
    [
      'a disk that was provisioned',
      volume(disk, provisioned),
      [
        { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a', 'b'] },
        { key: 'topology.kubernetes.io/region', operator: 'In', values: ['r'] },
      ],
    ],
  ])('%s', async (_what, object, expected) => {
    const attributes = request('CREATE persistentvolumes', { object });
    const verdict = await verdictOf(pluginIn('PersistentVolumeLabel'), attributes);
    const spec = attributes.object?.['spec'] as {
      nodeAffinity?: { required: { nodeSelectorTerms: { matchExpressions: unknown }[] } };
    };
    const found = spec.nodeAffinity?.required.nodeSelectorTerms[0]?.matchExpressions;
    expect(verdict === 'allowed' ? found : verdict).toEqual(expected);
  });
});

describe('TaintNodesByCondition', () => {
  const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
  it.each<[string, Raw, unknown]>([
    ['a new node', {}, [notReady]],
    [
      'a node with taints',
      { taints: [{ key: 'a', effect: 'NoExecute' }] },
      [{ key: 'a', effect: 'NoExecute' }, notReady],
    ],
    ['a node with this taint', { taints: [notReady] }, [notReady]],
  ])('%s', async (_what, spec, expected) => {
    const attributes = request('CREATE nodes', { object: { metadata: { name: 'n' }, spec } });
    await verdictOf(pluginIn('TaintNodesByCondition'), attributes);
    expect((attributes.object?.['spec'] as Raw)['taints']).toEqual(expected);
  });
});
