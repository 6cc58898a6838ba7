import { describe, expect, test } from 'vitest';
import { namesOf } from '../../src/names/index.ts';
import { backendsOf, subsetsOf } from '../../src/network/index.ts';
import type { objects } from '../../src/schema/index.ts';

const names = namesOf('k8s.io');

interface PodShape {
  readonly ready?: boolean;
  readonly phase?: string;
  readonly restartPolicy?: string;
  readonly leaving?: boolean;
  readonly node?: string;
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly hostname?: string;
}

/** A pod whose address ends in its number. */
function pod(number: number, shape: PodShape = {}): objects.Pod {
  const { ready = true, phase = 'Running', restartPolicy = 'Always', leaving = false, node = 'n', hostname } = shape;
  return {
    metadata: {
      name: `p${number}`,
      namespace: 'a',
      uid: `u${number}`,
      ...(leaving ? { deletionTimestamp: '2020-01-01T00:00:00Z' } : {}),
    },
    spec: {
      nodeName: node,
      restartPolicy,
      containers: [{ name: 'c', ports: [...(shape.ports ?? [])] }],
      ...(hostname ? { hostname, subdomain: 's' } : {}),
    },
    status: {
      phase,
      podIP: `10.0.0.${number}`,
      podIPs: [{ ip: `10.0.0.${number}` }, { ip: `fd00::${number}` }],
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
    },
  } as unknown as objects.Pod;
}

function service(spec: object, annotations: Record<string, string> = {}): objects.Service {
  return { metadata: { name: 's', namespace: 'a', annotations }, spec } as unknown as objects.Service;
}

const web = service({ clusterIP: '10.1.0.1', ports: [{ port: 80, protocol: 'TCP' }] });

/** `ready/notReady ports` of each subset, by the last number of each address. */
function summary(of: objects.Service, pods: readonly objects.Pod[]): string[] {
  const numbers = (list: readonly { ip: string }[] | null | undefined): string =>
    (list ?? []).map(({ ip }) => ip.slice(7)).join();
  return subsetsOf(of, pods, names).map(
    ({ addresses, notReadyAddresses, ports }) =>
      `${numbers(addresses)}/${numbers(notReadyAddresses)} ${(ports ?? []).map(({ name = '', port }) => name + port).join()}`,
  );
}

describe('the subsets of a service', () => {
  const old = 'service.alpha.kubernetes.io/tolerate-unready-endpoints';
  const published = { ...web.spec, publishNotReadyAddresses: true };
  test.each<[string, objects.Service, PodShape, string[]]>([
    ['a ready pod', web, {}, ['1/ 80']],
    ['an unready pod', web, { ready: false }, ['/1 80']],
    ['a terminating pod', web, { leaving: true }, []],
    ['a pod that failed and is not restarted', web, { ready: false, phase: 'Failed', restartPolicy: 'Never' }, []],
    [
      'a pod that succeeded and is not restarted',
      web,
      { ready: false, phase: 'Succeeded', restartPolicy: 'OnFailure' },
      [],
    ],
    [
      'a pod that failed and is restarted',
      web,
      { ready: false, phase: 'Failed', restartPolicy: 'OnFailure' },
      ['/1 80'],
    ],
    ['an unready pod that is published', service(published), { ready: false }, ['1/ 80']],
    ['a terminating pod that is published', service(published), { leaving: true }, ['1/ 80']],
    ['the older annotation', service(web.spec, { [old]: 'true' }), { ready: false }, ['1/ 80']],
    ['the older annotation, which wins', service(published, { [old]: 'false' }), { ready: false }, ['/1 80']],
    ['an older annotation without a truth value', service(published, { [old]: 'maybe' }), { ready: false }, ['1/ 80']],
    ['a headless service without ports', service({ clusterIP: 'None' }), {}, ['1/ ']],
    ['a service with an address and without ports', service({ clusterIP: '10.1.0.1' }), {}, []],
  ])('of %s', (_, of, shape, expected) => expect(summary(of, [pod(1, shape)])).toEqual(expected));

  test('put ports together that the same addresses offer, and others apart', () => {
    const ports = [
      { name: 'web', port: 80, targetPort: 8080 },
      { name: 'dns', port: 53, targetPort: 'dns' },
      { name: 'admin', port: 81, targetPort: 8081 },
    ];
    const named = pod(1, { ports: [{ name: 'dns', containerPort: 5353 }] });
    expect(summary(service({ clusterIP: '10.1.0.1', ports }), [pod(2), named])).toEqual([
      '1/ dns5353',
      '1,2/ web8080,admin8081',
    ]);
  });

  test('sort ports by their digest, as the reference does', () => {
    const ports = [
      { name: 'z', port: 443, targetPort: 8443 },
      { name: 'a', port: 80, targetPort: 8080, appProtocol: 'http' },
      { name: 'u', port: 80, targetPort: 8080, protocol: 'UDP' },
    ];
    expect(summary(service({ clusterIP: '10.1.0.1', ports }), [pod(1)])).toEqual(['1/ u8080,a8080,z8443']);
  });

  test('sort addresses as texts', () => {
    expect(summary(web, [pod(9), pod(10), pod(1)])).toEqual(['1,10,9/ 80']);
  });

  test('name the pod, its node and, in its own service, its host name', () => {
    expect(subsetsOf(web, [pod(1, { hostname: 'h' })], names)[0]?.addresses).toEqual([
      {
        ip: '10.0.0.1',
        hostname: 'h',
        nodeName: 'n',
        targetRef: { kind: 'Pod', namespace: 'a', name: 'p1', uid: 'u1' },
      },
    ]);
    expect(subsetsOf(web, [pod(1, { node: '' })], names)[0]?.addresses?.[0]?.nodeName).toBe('');
  });
});

describe('the backends of a service', () => {
  const published = service({ ...web.spec, publishNotReadyAddresses: true });
  test.each<[string, objects.Service, PodShape, boolean | undefined]>([
    ['a ready pod', web, {}, true],
    ['an unready pod', web, { ready: false }, false],
    ['a terminating pod', web, { leaving: true }, undefined],
    ['a terminating pod that is published', published, { leaving: true }, true],
    ['a finished pod that is published', published, { phase: 'Succeeded', restartPolicy: 'Never' }, undefined],
  ])('of %s', (_, of, shape, ready) => {
    const [backend] = backendsOf(of, [pod(1, shape)]);
    expect(backend?.ready).toBe(ready);
    if (backend) expect(backend.ips).toEqual(['10.0.0.1', 'fd00::1']);
  });
});
