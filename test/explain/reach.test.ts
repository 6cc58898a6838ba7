import { describe, expect, test } from 'vitest';
import { reachSince, suggestPolicies, type Wanted } from '../../src/explain/index.ts';
import { Matrix, type NetworkView } from '../../src/network/index.ts';
import { add, addressOf, podKeys, smallCluster, smallPods } from '../network/world.ts';

const tcp80 = { port: 80, protocol: 'TCP' } as const;

function wanted(view: NetworkView, arrow: string, port = 80): Wanted {
  const [from = '', to = ''] = arrow.split(' -> ');
  const end = (key: string) => {
    const pod = view.get('pods', key);
    return pod ? { address: addressOf(key), pod } : { address: key };
  };
  return { from: end(from), to: end(to), port, protocol: 'TCP' };
}

/** Who reaches those pods that a policy isolates. */
function reaching(view: NetworkView, to: string): string[] {
  const matrix = new Matrix(smallPods(view), tcp80, view);
  return podKeys.filter((_, i) => matrix.allows(i, podKeys.indexOf(to)));
}

describe('suggested policies', () => {
  test('allow just the chosen connections', () => {
    const view = smallCluster();
    const chosen = ['x/b -> x/a', 'y/c -> x/a'].map((arrow) => wanted(view, arrow));
    const policies = suggestPolicies(chosen, view);
    expect(policies).toHaveLength(1);
    expect(policies[0]?.spec?.ingress).toHaveLength(2);
    for (const policy of policies) view.set('networkpolicies', policy);
    expect(reaching(view, 'x/a')).toEqual(['x/a', 'x/b', 'y/c']);
    expect(reaching(view, 'x/b')).toHaveLength(9);
  });

  test('gather the ports of one peer in one rule', () => {
    const view = smallCluster();
    const chosen = [81, 80, 80].map((port) => wanted(view, 'x/b -> x/a', port));
    const [policy] = suggestPolicies(chosen, view);
    expect(policy?.spec?.ingress).toEqual([
      {
        from: [{ podSelector: { matchLabels: { pod: 'b' } } }],
        ports: [
          { protocol: 'TCP', port: 80 },
          { protocol: 'TCP', port: 81 },
        ],
      },
    ]);
  });

  test('leave the cluster’s own pods open, and name them where outgoing traffic is restricted', () => {
    const view = smallCluster(
      '{kind: Pod, metadata: {name: dns, namespace: cluster-system, labels: {k8s-app: cluster-dns}}, status: {phase: Running, podIP: 10.244.8.1}}',
    );
    const [from, to] = [view.get('pods', 'x/a'), view.get('pods', 'cluster-system/dns')];
    const question = {
      from: { address: '10.244.0.1', pod: from },
      to: { address: '10.244.8.1', pod: to },
      ...{ port: 53, protocol: 'UDP' as const },
    };
    expect(suggestPolicies([question], view)).toEqual([]);
    const [policy, ...more] = suggestPolicies([question], view, true);
    expect(more).toEqual([]);
    expect(policy?.metadata?.namespace).toBe('x');
    expect(policy?.spec?.egress?.[0]?.to?.[0]?.podSelector).toEqual({ matchLabels: { 'k8s-app': 'cluster-dns' } });
  });

  test('name those outside of the cluster by their address', () => {
    const view = smallCluster();
    const [policy] = suggestPolicies([wanted(view, '203.0.113.9 -> x/a')], view);
    expect(policy?.spec?.ingress?.[0]?.from).toEqual([{ ipBlock: { cidr: '203.0.113.9/32' } }]);
  });

  test('open the sender, too, where its outgoing traffic is restricted', () => {
    const view = smallCluster(
      '{kind: NetworkPolicy, metadata: {name: d}, spec: {podSelector: {}, policyTypes: [Egress]}}',
    );
    const policies = suggestPolicies([wanted(view, 'x/b -> y/a')], view);
    expect(policies.map(({ spec }) => spec?.policyTypes)).toEqual([['Ingress'], ['Egress']]);
    for (const policy of policies) view.set('networkpolicies', policy);
    expect(reaching(view, 'y/a')).toEqual(['x/b', 'y/a']);
  });
});

describe('since a revision', () => {
  const deny = (namespace: string): string =>
    `---\n{kind: NetworkPolicy, metadata: {name: deny, namespace: ${namespace}, resourceVersion: "7"}, spec: {podSelector: {}, policyTypes: [Ingress]}}\n`;
  const allowB = `---\n{kind: NetworkPolicy, metadata: {name: allow-b, resourceVersion: "8"}, spec: {podSelector: {}, ingress: [{from: [{podSelector: {matchLabels: {pod: b}}}]}]}}\n`;

  test('nothing has changed', () => {
    expect(reachSince(smallCluster(), smallCluster(), tcp80)).toEqual({ pods: 9, changes: [], reach: [] });
  });

  test('a policy that was made closed connections', () => {
    const { changes, reach } = reachSince(smallCluster(), smallCluster(deny('x')), tcp80);
    expect(changes).toEqual([{ kind: 'NetworkPolicy', key: 'x/deny', how: 'created', revision: '7' }]);
    expect(reach).toHaveLength(24);
    expect(reach.every(({ opens, through }) => !opens && through[0] === changes[0])).toBe(true);
  });

  test('a policy that was deleted opened them', () => {
    const { changes, reach } = reachSince(smallCluster(deny('x')), smallCluster(), tcp80);
    expect(changes).toEqual([{ kind: 'NetworkPolicy', key: 'x/deny', how: 'deleted', revision: undefined }]);
    expect(reach.every(({ opens }) => opens)).toBe(true);
  });

  test('each change is named for its own connections', () => {
    const { changes, reach } = reachSince(smallCluster(), smallCluster(deny('x') + deny('y')), tcp80);
    expect(changes.map(({ key }) => key)).toEqual(['x/deny', 'y/deny']);
    for (const { to, through } of reach)
      expect(through.map(({ key }) => key)).toEqual([`${to.metadata?.namespace}/deny`]);
  });

  test('a label of a pod or a namespace may be the change', () => {
    const later = add(
      smallCluster(allowB),
      '{kind: Pod, metadata: {name: c, labels: {pod: b}, resourceVersion: "9"}, spec: {nodeName: node-3}, status: {podIP: 10.244.0.3, hostIP: 192.168.0.3}}',
    );
    const { changes, reach } = reachSince(smallCluster(allowB), later, tcp80);
    expect(changes).toEqual([{ kind: 'Pod', key: 'x/c', how: 'changed', revision: '9' }]);
    expect(reach.map(({ from, opens }) => [from.metadata?.name, opens])).toEqual([
      ['c', true],
      ['c', true],
    ]);
  });

  test('names no single cause when several changes were needed together', () => {
    const both = `---\n{kind: NetworkPolicy, metadata: {name: d2}, spec: {podSelector: {}, policyTypes: [Ingress]}}\n`;
    const { reach } = reachSince(smallCluster(deny('x') + both), smallCluster(), tcp80);
    expect(reach).toHaveLength(24);
    expect(reach.every(({ through }) => through.length === 0)).toBe(true);
  });
});
