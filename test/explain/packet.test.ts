import { describe, expect, test } from 'vitest';
import { explainPacket } from '../../src/explain/index.ts';
import { Matrix, tracePacket, type NetworkView } from '../../src/network/index.ts';
import { add, addressOf, podKeys, smallCluster, smallPods } from '../network/world.ts';

const policy = (spec: string): string => `{kind: NetworkPolicy, metadata: {name: p}, spec: ${spec}}`;

function explain(view: NetworkView, from: string, to: string, port = 80): ReturnType<typeof explainPacket> {
  const pod = view.get('pods', from);
  if (!pod) throw new Error(`no pod ${from}`);
  return explainPacket(tracePacket({ from: { pod }, to, port, protocol: 'TCP' }, view), view);
}

describe('the answer to why a packet does not arrive', () => {
  test.each<[title: string, to: string, objects: string, sentence: RegExp, evidence: RegExp]>([
    [
      'names the receiver',
      addressOf('x/a'),
      '',
      /^Pod y\/b reaches pod x\/a at TCP 80\.$/,
      /Arrives at pod x\/a at port 80/,
    ],
    ['says that a name does not exist', 'nobody', '', /the name does not exist/, /No name server knows "nobody"/],
    [
      'names the policy that isolates the receiver',
      addressOf('x/a'),
      policy('{podSelector: {}, ingress: []}'),
      /policy of the receiver/,
      /pod x\/a is isolated for incoming traffic by x\/p, and no rule allows TCP 80 from pod y\/b/,
    ],
    [
      'says that a service has no endpoints',
      'web.x',
      '{kind: Service, metadata: {name: web}, spec: {clusterIP: 10.96.0.9, clusterIPs: [10.96.0.9], ports: [{port: 80}]}}',
      /no ready pod stands behind the service/,
      /it has no endpoints/,
    ],
  ])('%s', (_, to, objects, sentence, evidence) => {
    const answer = explain(smallCluster(objects), 'y/b', to);
    expect(answer.sentence).toMatch(sentence);
    expect(answer.evidence.at(-1)?.text).toMatch(evidence);
  });

  test('links a near miss to the line that does not match', () => {
    const view = smallCluster(policy('{podSelector: {}, ingress: [{from: [{podSelector: {}}]}]}'));
    const hop = explain(view, 'y/b', addressOf('x/a')).evidence.at(-1);
    expect(hop).toMatchObject({
      at: { kind: 'NetworkPolicy', namespace: 'x', name: 'p', field: 'spec.podSelector' },
      details: [{ at: { field: 'spec.ingress[0].from[0]' } }],
    });
  });
});

describe('the remedy for a denied packet', () => {
  const denials: readonly [title: string, spec: string, from: string, to: string][] = [
    ['of the receiver', '{podSelector: {}, ingress: []}', 'y/b', 'x/a'],
    ['of the receiver, from its own namespace', '{podSelector: {}, ingress: []}', 'x/b', 'x/a'],
    ['of the sender', '{podSelector: {}, policyTypes: [Egress]}', 'x/b', 'z/a'],
  ];
  test.each(denials)('%s allows the packet, and what it says besides', (_, spec, from, to) => {
    const view = smallCluster(policy(spec));
    const [remedy] = explain(view, from, addressOf(to)).remedies;
    const after = add(view.fork(), `---\n${JSON.stringify(remedy?.object)}`);
    const matrices = [view, after].map((each) => new Matrix(smallPods(view), { port: 80, protocol: 'TCP' }, each));
    const opened = podKeys.flatMap((one, f) =>
      podKeys.flatMap((other, t) =>
        matrices[1]?.allows(f, t) && !matrices[0]?.allows(f, t) ? [`${one} -> ${other}`] : [],
      ),
    );
    expect(opened).toContain(`${from} -> ${to}`);
    expect(remedy?.alsoAllows).toBe(opened.length === 1 ? '' : `${opened.length - 1} other connections at this port`);
  });

  test('is none where no policy denied it', () => {
    expect(explain(smallCluster(), 'y/b', 'nobody').remedies).toEqual([]);
  });

  test('for a name that cannot be looked up allows the question to the name server', () => {
    const view = smallCluster(policy('{podSelector: {}, policyTypes: [Egress], egress: [{ports: [{port: 80}]}]}'));
    expect(explain(view, 'x/b', 'web').remedies[0]?.object).toMatchObject({
      spec: { egress: [{ ports: [{ protocol: 'UDP', port: 53 }] }] },
    });
  });
});
