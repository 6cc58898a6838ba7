/** The network policies that are being written in the editor: what would change if they were applied. */
import { useMemo } from 'preact/compat';
import { getOwn, isObject } from '../../../std/index.ts';
import type { NetworkObjects, NetworkView } from '../../../network/index.ts';
import { readManifests } from '../../editor/documents.ts';
import { useDrafts } from '../../editor/drafts.ts';
import { useAddress } from '../../stores/address.ts';
import type { LiveNetwork } from '../../stores/network.ts';

type Policy = NetworkObjects['networkpolicies'];
type Spec = NonNullable<Policy['spec']>;
type Selector = Spec['podSelector'];
type Rule = NonNullable<Spec['ingress']>[number];
type Peer = NonNullable<Rule['from']>[number];
type PolicyPort = NonNullable<Rule['ports']>[number];

export interface NetworkDraft {
  readonly policies: readonly Policy[];
  /** The network as it would be. */
  readonly view: NetworkView;
}

/** The policies in the editor's text, as far as they can be read. */
export function policiesIn(text: string, namespace: string): Policy[] {
  return readManifests(text).manifests.flatMap(({ kind, value, namespace: own, name }): Policy[] => {
    if (kind !== 'NetworkPolicy') return [];
    const metadata = { creationTimestamp: null, name, namespace: own || namespace || 'default' };
    return [{ metadata, spec: readSpec(value['spec']) }];
  });
}

/** What is half written is taken as far as it goes: whatever has not the form that it needs yet is passed over. */
function readSpec(value: unknown): Spec {
  const spec = isObject(value) ? value : {};
  const types = Array.isArray(spec['policyTypes']) ? spec['policyTypes'].map(String) : undefined;
  return {
    podSelector: readSelector(spec['podSelector']) ?? {},
    ...(types && { policyTypes: types }),
    ...(Array.isArray(spec['ingress']) && {
      ingress: objectsIn(spec['ingress']).map((rule) => ({
        from: readPeers(rule['from']),
        ports: readPorts(rule['ports']),
      })),
    }),
    ...(Array.isArray(spec['egress']) && {
      egress: objectsIn(spec['egress']).map((rule) => ({ to: readPeers(rule['to']), ports: readPorts(rule['ports']) })),
    }),
  };
}

const objectsIn = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : []);

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

function readPeers(value: unknown): Peer[] {
  return objectsIn(value).map(({ podSelector, namespaceSelector, ipBlock }) => {
    const [pods, namespaces] = [readSelector(podSelector), readSelector(namespaceSelector)];
    return {
      ...(pods && { podSelector: pods }),
      ...(namespaces && { namespaceSelector: namespaces }),
      ...(isObject(ipBlock) && {
        ipBlock: { cidr: String(ipBlock['cidr'] ?? ''), except: textsIn(ipBlock['except']) },
      }),
    };
  });
}

function readPorts(value: unknown): PolicyPort[] {
  return objectsIn(value).map(({ port, protocol }) => ({
    ...(typeof protocol === 'string' && { protocol }),
    ...((typeof port === 'number' || typeof port === 'string') && { port }),
  }));
}

function readSelector(value: unknown): Selector | undefined {
  if (!isObject(value)) return undefined;
  const labels = isObject(value['matchLabels']) ? Object.entries(value['matchLabels']) : [];
  return {
    matchLabels: Object.fromEntries(labels.map(([key, each]) => [key, String(each)])),
    matchExpressions: objectsIn(value['matchExpressions']).map((each) => ({
      key: String(each['key'] ?? ''),
      operator: String(each['operator'] ?? ''),
      values: textsIn(each['values']),
    })),
  };
}

/** The draft in the editor, or the one that the address names; undefined where it has no network policies. */
export function useNetworkDraft({ view, version }: LiveNetwork): NetworkDraft | undefined {
  const selection = useAddress((address) => address.query['sel'] ?? '');
  const namespace = useAddress((address) => address.query['ns'] ?? '');
  const shown = useAddress((address) => address.query['draft']);
  const key = selection.startsWith('editor:') ? selection.slice('editor:'.length) : shown;
  const text = useDrafts((state) => (key === undefined ? '' : (getOwn(state.drafts, key)?.text ?? '')));
  return useMemo(() => {
    const policies = text.includes('NetworkPolicy') ? policiesIn(text, namespace) : [];
    if (policies.length === 0) return undefined;
    const next = view.fork();
    for (const policy of policies) next.set('networkpolicies', policy);
    return { policies, view: next };
    // The view is the same object after each change; its version says that it has changed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [text, namespace, view, version]);
}
