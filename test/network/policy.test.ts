import { describe, expect, test } from 'vitest';
import { judgeConnection, namesOfService, resolve, subsetsOf, targetPort, type End } from '../../src/network/index.ts';

type Loose = never;

const pod = (name: string, labels: Record<string, string>, namespace = 'a', ip = '10.244.0.5') =>
  ({
    metadata: { name, namespace, labels, uid: `uid-${name}` },
    spec: { containers: [{ name: 'c', ports: [{ name: 'http', containerPort: 8080 }] }] },
    status: { podIP: ip, hostIP: '192.168.49.10', phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  }) as unknown as Extract<End, { pod: unknown }>['pod'];

const namespaces = ['a', 'b'].map((name) => ({ metadata: { name, labels: { team: name } } })) as unknown as Loose[];
const policy = (name: string, spec: object) => ({ metadata: { name, namespace: 'a' }, spec }) as unknown as Loose;
const web = pod('web', { app: 'web' });
const db = pod('db', { app: 'db' });
const stranger = pod('stranger', { app: 'web' }, 'b');

const allowed = (from: End, to: End, policies: Loose[], port = 8080): boolean =>
  judgeConnection({ from, to, port }, { policies, namespaces }).allowed;
const forDb = (spec: object): Loose => policy('p', { podSelector: { matchLabels: { app: 'db' } }, ...spec });

describe('network policies', () => {
  const cases: readonly [title: string, from: End, spec: object, passes: boolean, port?: number][] = [
    ['an empty list of rules lets nothing in', { pod: web }, { ingress: [] }, false],
    ['an empty rule lets everything in', { pod: stranger }, { ingress: [{}] }, true],
    [
      'a pod selector alone means pods of the own namespace',
      { pod: stranger },
      { ingress: [{ from: [{ podSelector: {} }] }] },
      false,
    ],
    [
      'a pod selector lets in those that it selects',
      { pod: web },
      { ingress: [{ from: [{ podSelector: { matchLabels: { app: 'web' } } }] }] },
      true,
    ],
    [
      'a namespace selector alone means all pods of those',
      { pod: stranger },
      { ingress: [{ from: [{ namespaceSelector: { matchLabels: { team: 'b' } } }] }] },
      true,
    ],
    [
      'both selectors have to hold',
      { pod: stranger },
      { ingress: [{ from: [{ namespaceSelector: {}, podSelector: { matchLabels: { app: 'db' } } }] }] },
      false,
    ],
    [
      'a block lets in its addresses',
      { address: '172.17.0.9' },
      { ingress: [{ from: [{ ipBlock: { cidr: '172.17.0.0/16' } }] }] },
      true,
    ],
    [
      'a block leaves out its exceptions',
      { address: '172.17.1.9' },
      { ingress: [{ from: [{ ipBlock: { cidr: '172.17.0.0/16', except: ['172.17.1.0/24'] } }] }] },
      false,
    ],
    ['a port has to match', { pod: web }, { ingress: [{ ports: [{ port: 5432 }] }] }, false],
    ["a named port is the pod's own", { pod: web }, { ingress: [{ ports: [{ port: 'http' }] }] }, true],
    ['a protocol has to match', { pod: web }, { ingress: [{ ports: [{ protocol: 'UDP', port: 8080 }] }] }, false],
    ["the pod's own node always gets in", { address: '192.168.49.10' }, { ingress: [] }, true],
    [
      'a policy for egress alone does not restrict what comes in',
      { pod: web },
      { policyTypes: ['Egress'], egress: [] },
      true,
    ],
  ];

  test.each(cases)('%s', (_, from, spec, passes) => {
    expect(allowed(from, { pod: db }, [forDb(spec)])).toBe(passes);
  });

  test('add up: what one of them lets in is let in', () => {
    const closed = forDb({ ingress: [] });
    const open = policy('open', {
      podSelector: {},
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'web' } } }] }],
    });
    expect(allowed({ pod: web }, { pod: db }, [closed, open])).toBe(true);
  });

  test('name the policy and the rule that decided', () => {
    const rules = forDb({ ingress: [{ ports: [{ port: 1 }] }, { ports: [{ port: 8080 }] }] });
    const verdict = judgeConnection(
      { from: { pod: web }, to: { pod: db }, port: 8080 },
      { policies: [rules], namespaces },
    );
    expect(verdict.ingress).toMatchObject({ allowed: true, why: 'rule', policy: rules, rule: 1 });
    expect(verdict.egress).toMatchObject({ allowed: true, why: 'not isolated' });
  });

  test('of the source count as well', () => {
    const silent = policy('silent', { podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Egress'] });
    expect(allowed({ pod: web }, { pod: db }, [silent])).toBe(false);
  });
});

const service = (spec: object) =>
  ({ metadata: { name: 's', namespace: 'a' }, spec }) as unknown as Parameters<typeof subsetsOf>[0];

describe('a service', () => {
  test('leads to the ready addresses of its pods, and names the others apart', () => {
    const waiting = pod('w', {}, 'a', '10.244.0.9');
    waiting.status = { ...waiting.status, conditions: [] } as never;
    const [subset] = subsetsOf(
      service({ clusterIP: '10.0.0.1', ports: [{ port: 80, targetPort: 'http', protocol: 'TCP' }] }),
      [web, waiting],
    );
    expect(subset?.addresses?.map((a) => a.ip)).toEqual(['10.244.0.5']);
    expect(subset?.notReadyAddresses?.map((a) => a.ip)).toEqual(['10.244.0.9']);
    expect(subset?.ports).toEqual([{ port: 8080, protocol: 'TCP' }]);
  });

  test('finds a named port in the pod', () => {
    expect(targetPort(web, { port: 80, targetPort: 'http' } as never)).toBe(8080);
    expect(targetPort(web, { port: 80, targetPort: 'none' } as never)).toBeUndefined();
    expect(targetPort(web, { port: 80 } as never)).toBe(80);
  });

  test('is found under its names, the short one only in its own namespace', () => {
    const directory = {
      services: [service({ clusterIP: '10.0.0.1' })],
      pods: [web],
      domain: 'cluster.local',
      selected: () => [web],
    };
    expect(namesOfService(service({}), 'cluster.local')).toEqual(['s', 's.a', 's.a.svc', 's.a.svc.cluster.local']);
    expect(resolve('s', 'a', directory)).toMatchObject({ type: 'A', addresses: ['10.0.0.1'] });
    expect(resolve('s', 'b', directory)).toBeUndefined();
    expect(resolve('s.a', 'b', directory)).toMatchObject({ addresses: ['10.0.0.1'] });
  });

  test('without an address of its own stands for its pods', () => {
    const directory = {
      services: [service({ clusterIP: 'None' })],
      pods: [web],
      domain: 'cluster.local',
      selected: () => [web],
    };
    expect(resolve('s.a.svc.cluster.local.', 'b', directory)).toMatchObject({ type: 'A', addresses: ['10.244.0.5'] });
  });
});
