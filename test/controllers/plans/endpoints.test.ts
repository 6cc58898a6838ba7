import { describe, expect, test } from 'vitest';
import type { Endpoints, Pod, Service } from '../../../src/client/index.ts';
import { planMonitors } from '../../../src/controllers/garbageCollector/garbageCollector.ts';
import { planEndpoints } from '../../../src/controllers/services/endpoints.ts';
import { namesOf } from '../../../src/names/index.ts';
import { readyPod } from './objects.ts';

const names = namesOf('k8s.io');
const HEADLESS = 'service.kubernetes.io/headless';
const TRIGGER = 'endpoints.kubernetes.io/last-change-trigger-time';

const service = (spec: object = {}, labels: Record<string, string> = { team: 'shop' }): Service =>
  ({
    metadata: { name: 'web', namespace: 'ns', labels },
    spec: { clusterIP: '10.96.0.9', ports: [{ port: 80, protocol: 'TCP' }], ...spec },
  }) as unknown as Service;

const backend = (name: string, ip: string, version = '1'): Pod => {
  const made = readyPod(name, { node: 'n1' });
  return {
    ...made,
    metadata: { ...made.metadata, resourceVersion: version },
    status: { ...made.status, podIP: ip },
  } as Pod;
};

const plan = (given: Service, pods: readonly Pod[], current?: Endpoints, time?: string): Endpoints | undefined =>
  planEndpoints(given, pods, current, names, time);

const first = (): Endpoints => {
  const made = plan(service(), [backend('a', '10.1.0.1')], undefined, 'noon');
  if (!made) throw new Error('the first Endpoints are made');
  return made;
};

describe('the Endpoints of a service', () => {
  test('are made with the service’s name and labels, and when it changed', () => {
    expect(first().metadata).toMatchObject({
      name: 'web',
      namespace: 'ns',
      labels: { team: 'shop' },
      annotations: { [TRIGGER]: 'noon' },
    });
    expect(first().subsets).toEqual([
      {
        addresses: [expect.objectContaining({ ip: '10.1.0.1', nodeName: 'n1' })],
        ports: [{ port: 80, protocol: 'TCP' }],
      },
    ]);
  });

  test.each<[string, 'kept' | 'written', Service, Pod[]]>([
    ['nothing is different', 'kept', service(), [backend('a', '10.1.0.1')]],
    ['a pod has another revision', 'written', service(), [backend('a', '10.1.0.1', '7')]],
    ['a pod has another address', 'written', service(), [backend('a', '10.1.0.2')]],
    ['a pod comes', 'written', service(), [backend('a', '10.1.0.1'), backend('b', '10.1.0.3')]],
    ['the last pod goes', 'written', service(), []],
    ['the port changes', 'written', service({ ports: [{ port: 81, protocol: 'TCP' }] }), [backend('a', '10.1.0.1')]],
    ['a label changes', 'written', service({}, { team: 'other' }), [backend('a', '10.1.0.1')]],
    ['a label goes', 'written', service({}, {}), [backend('a', '10.1.0.1')]],
  ])('where %s they are %s', (_, verdict, given, pods) => {
    expect(plan(given, pods, first()) === undefined ? 'kept' : 'written').toBe(verdict);
  });

  test('say that a service is headless, and no longer when it is not', () => {
    const pods = [backend('a', '10.1.0.1')];
    const headless = plan(service({ clusterIP: 'None' }), pods);
    expect(headless?.metadata.labels).toEqual({ team: 'shop', [HEADLESS]: '' });
    expect(plan(service({ clusterIP: 'None' }), pods, headless), 'the label alone is no change').toBeUndefined();
    const again = plan(service({}, { team: 'other' }), pods, headless);
    expect(again?.metadata.labels).toEqual({ team: 'other' });
  });

  test('keep annotations of others; the time of a change that nobody knows is left out', () => {
    const known = first();
    const current = {
      ...known,
      metadata: { ...known.metadata, resourceVersion: '5', annotations: { mine: 'yes', [TRIGGER]: 'noon' } },
    };
    const next = plan(service(), [], current);
    expect(next?.metadata).toMatchObject({ annotations: { mine: 'yes' }, resourceVersion: '5' });
    expect(next?.metadata.annotations).not.toHaveProperty([TRIGGER]);
    expect(plan(service(), [], current, 'one')?.metadata.annotations).toEqual({ mine: 'yes', [TRIGGER]: 'one' });
  });
});

describe('what the garbage collector watches', () => {
  const resource = (name: string, verbs: string, group = ''): Parameters<typeof planMonitors>[0][number] =>
    ({ group, version: 'v1', resource: name, verbs: verbs.split(' ') }) as never;

  test.each([
    ['pods', 'create delete get list patch update watch', true],
    ['widgets', 'delete list watch', true],
    ['bindings', 'create', false],
    ['componentstatuses', 'get list', false],
    ['readonly', 'get list watch', false],
    ['unlisted', 'delete get watch', false],
    ['unwatched', 'delete get list', false],
    ['events', 'create delete get list watch', false],
  ])('%s (%s): %s', (name, verbs, watched) => {
    expect(planMonitors([resource(name, verbs)]).map((each) => each.resource)).toEqual(watched ? [name] : []);
  });
});
