import { describe, expect, test } from 'vitest';
import { namesOf } from '../../../src/names/index.ts';
import { createScheme, kinds, type ApiObject, type Resource } from '../../../src/schema/index.ts';
import { must } from '../../../src/std/index.ts';

const names = namesOf('cluster.io');
const scheme = createScheme(names, kinds, { runtimeConfig: 'api/all=true', gate: () => true });

function kindAt(apiVersion: string, kind: string): Resource {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return must(scheme.byKind({ group: group ?? '', version: version ?? '', kind }), `${apiVersion} ${kind} is served`);
}

/** An object as its version defaults it, and then as another version shows it. */
function shown(kind: string, from: string, to: string, fields: object): ApiObject {
  const [source, target] = [kindAt(from, kind), kindAt(to, kind)];
  const object = scheme.decode(source.node, {
    kind,
    apiVersion: from,
    metadata: { name: 'x' },
    ...fields,
  }) as ApiObject;
  scheme.applyDefaults(source, object);
  return scheme.convert(scheme.convert(object, source, source.hub), target.hub, target);
}

describe('autoscalers', () => {
  const scaleTargetRef = { kind: 'Deployment', name: 'd' };
  const pods = {
    type: 'Pods',
    pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '1500m' } },
  };
  const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } };

  test('aim at 80 percent of the processor where v1 says nothing', () => {
    const object = shown('HorizontalPodAutoscaler', 'autoscaling/v1', 'autoscaling/v2beta2', {
      spec: { scaleTargetRef, maxReplicas: 3 },
    });
    const target = { type: 'Utilization', averageUtilization: 80 };
    expect(object['spec']).toMatchObject({
      minReplicas: 1,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
    });
  });

  test('carry in annotations what v1 has no field for, and take it back', () => {
    const fields = {
      spec: { scaleTargetRef, maxReplicas: 3, metrics: [pods, cpu], behavior: { scaleDown: { selectPolicy: 'Min' } } },
    };
    const v1 = shown('HorizontalPodAutoscaler', 'autoscaling/v2beta2', 'autoscaling/v1', fields);
    expect(v1['spec']).toMatchObject({ targetCPUUtilizationPercentage: 60 });
    expect(v1.metadata.annotations).toEqual({
      'autoscaling.alpha.cluster.io/metrics':
        '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"1500m"}}]',
      'autoscaling.alpha.cluster.io/behavior':
        '{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15},{"Type":"Percent","Value":100,"PeriodSeconds":15}]},"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":"Min","Policies":[{"Type":"Percent","Value":100,"PeriodSeconds":15}]}}',
    });
    const v1Kind = kindAt('autoscaling/v1', 'HorizontalPodAutoscaler');
    const back = scheme.convert(v1, v1Kind, v1Kind.hub);
    expect(back.metadata.annotations).toBeUndefined();
    expect(back['spec']).toMatchObject({ metrics: [pods, cpu], behavior: { scaleDown: { selectPolicy: 'Min' } } });
  });

  test('spell labels in their order', () => {
    const selector = { matchLabels: { z: '1', a: '2' } };
    const metrics = [{ ...pods, pods: { ...pods.pods, metric: { name: 'm', selector } } }];
    const fields = { spec: { scaleTargetRef, maxReplicas: 3, metrics } };
    const v1 = shown('HorizontalPodAutoscaler', 'autoscaling/v2beta2', 'autoscaling/v1', fields);
    expect(v1.metadata.annotations?.['autoscaling.alpha.cluster.io/metrics']).toContain('{"a":"2","z":"1"}');
  });

  test('are not broken by annotations that hold nonsense', () => {
    const metadata = {
      name: 'x',
      annotations: { 'autoscaling.alpha.cluster.io/metrics': '{', 'autoscaling.alpha.cluster.io/behavior': '7' },
    };
    const object = shown('HorizontalPodAutoscaler', 'autoscaling/v1', 'autoscaling/v2beta2', {
      metadata,
      spec: { scaleTargetRef, maxReplicas: 3 },
    });
    expect(object['spec']).toMatchObject({ metrics: [{ type: 'Resource' }] });
    expect(object['spec']).not.toHaveProperty('behavior');
  });
});

describe('definitions', () => {
  const common = { group: 'example.com', scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' } };
  const columns = [{ name: 'A', type: 'string', JSONPath: '.spec.a' }];

  test('say in each version of v1 what stands once in v1beta1, and back', () => {
    const spec = { ...common, version: 'v1', additionalPrinterColumns: columns, subresources: { status: {} } };
    const api = 'apiextensions.cluster.io';
    const v1 = shown('CustomResourceDefinition', `${api}/v1beta1`, `${api}/v1`, { spec });
    const version = { name: 'v1', served: true, storage: true, subresources: { status: {} } };
    expect(v1['spec']).toMatchObject({
      preserveUnknownFields: true,
      versions: [{ ...version, additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a' }] }],
    });
    expect(v1['status']).toMatchObject({ storedVersions: ['v1'], acceptedNames: { plural: '', kind: '' } });
    const [older, newer] = [
      kindAt(`${api}/v1beta1`, 'CustomResourceDefinition'),
      kindAt(`${api}/v1`, 'CustomResourceDefinition'),
    ];
    const back = scheme.convert(v1, newer, older);
    expect(back['spec']).toMatchObject({
      version: 'v1',
      additionalPrinterColumns: columns,
      versions: [{ name: 'v1', served: true, storage: true }],
    });
    expect(scheme.convert(back, older, newer)).toEqual(v1);
  });
});

test.each([
  ['a number', { serviceName: 's', servicePort: 80 }, { service: { name: 's', port: { number: 80 } } }],
  ['a name', { serviceName: 's', servicePort: 'http' }, { service: { name: 's', port: { name: 'http' } } }],
  [
    'no service',
    { resource: { apiGroup: null, kind: 'K', name: 'n' } },
    { resource: { apiGroup: null, kind: 'K', name: 'n' } },
  ],
])('ingress backends with %s', (_what, backend, defaultBackend) => {
  for (const from of ['networking.cluster.io/v1beta1', 'extensions/v1beta1'])
    expect(shown('Ingress', from, 'networking.cluster.io/v1', { spec: { backend } })['spec']).toEqual({
      defaultBackend,
    });
});

test('subjects of v1alpha1 name a version instead of a group', () => {
  const subjects = [
    { kind: 'User', name: 'u' },
    { kind: 'User', name: '*' },
    { kind: 'ServiceAccount', name: 'a', namespace: 'n' },
  ];
  const api = 'rbac.authorization.cluster.io';
  const roleRef = { kind: 'ClusterRole', name: 'r' };
  const object = shown('RoleBinding', `${api}/v1alpha1`, `${api}/v1`, { subjects, roleRef });
  expect(object['subjects']).toEqual([
    { kind: 'User', apiGroup: api, name: 'u' },
    { kind: 'Group', apiGroup: api, name: 'system:authenticated' },
    { kind: 'ServiceAccount', name: 'a', namespace: 'n' },
  ]);
});
