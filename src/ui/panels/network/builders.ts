/** Policies for the usual intents, as readable YAML to begin with. */
import type { Names } from '../../../names/index.ts';
import { hasNameServerPods, nameServerName, SYSTEM_LABEL, type NetworkView } from '../../../network/index.ts';

export interface PolicyBuilder {
  readonly title: string;
  readonly about: string;
  /** The manifest's text. */
  build(view: NetworkView, namespace: string): string;
}

const head = (names: Names, name: string, namespace: string): string =>
  `apiVersion: networking.${names.domain}/v1\nkind: NetworkPolicy\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\n`;

const builder = (
  title: string,
  about: string,
  name: string,
  spec: string | ((view: NetworkView) => string),
): PolicyBuilder => ({
  title,
  about,
  build: (view, namespace) =>
    `${head(view.settings.names, name, namespace)}spec:\n${typeof spec === 'string' ? spec : spec(view)}`,
});

/** Whom pods ask for names: the pods of the name server, in whichever namespace; anybody where it is no pod. */
const nameServers = (view: NetworkView): string =>
  hasNameServerPods(view)
    ? `    - to:\n        - namespaceSelector: {}\n          podSelector:\n            matchLabels:\n              ${SYSTEM_LABEL}: ${nameServerName(view)}\n      ports:\n`
    : '    - ports:\n';

export const builders: readonly PolicyBuilder[] = [
  builder(
    'Deny all incoming traffic',
    'Isolates every pod of the namespace. Other policies open what is needed.',
    'default-deny-ingress',
    '  podSelector: {}\n  policyTypes:\n    - Ingress\n',
  ),
  builder(
    'Deny all outgoing traffic',
    'Isolates every pod of the namespace. Names cannot be looked up either.',
    'default-deny-egress',
    '  podSelector: {}\n  policyTypes:\n    - Egress\n',
  ),
  builder(
    'Allow DNS',
    'Lets every pod of the namespace look up names.',
    'allow-dns',
    (view) =>
      `  podSelector: {}\n  policyTypes:\n    - Egress\n  egress:\n${nameServers(view)}        - protocol: UDP\n          port: 53\n        - protocol: TCP\n          port: 53\n`,
  ),
  builder(
    'Allow the own namespace',
    'Pods of the namespace reach each other. Nobody else reaches them.',
    'allow-same-namespace',
    '  podSelector: {}\n  policyTypes:\n    - Ingress\n  ingress:\n    - from:\n        - podSelector: {}\n',
  ),
  builder(
    'Allow another namespace',
    'Namespaces are chosen by label. Change the label to one that the namespace has.',
    'allow-from-namespace',
    '  podSelector: {}\n  policyTypes:\n    - Ingress\n  ingress:\n    - from:\n        - namespaceSelector:\n            matchLabels:\n              team: frontend\n',
  ),
  builder(
    'Allow one port from some pods',
    'The usual rule: who, to whom, on which port of the container.',
    'allow-frontend',
    '  podSelector:\n    matchLabels:\n      app: backend\n  policyTypes:\n    - Ingress\n  ingress:\n    - from:\n        - podSelector:\n            matchLabels:\n              app: frontend\n      ports:\n        - protocol: TCP\n          port: 80\n',
  ),
];
