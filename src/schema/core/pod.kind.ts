import { kind } from '../define/index.ts';
import { core } from '../groups.ts';
import { proxy } from './proxy.ts';
import { tables, workloads } from '../parts/index.ts';
import { Pod } from './pod.ts';

/** How a terminal is connected to a container. */
const terminal = {
  container: 'string',
  stderr: 'boolean',
  stdin: 'boolean',
  stdout: 'boolean',
  tty: 'boolean',
} as const;

export const pods = kind(Pod, {
  group: core,
  kind: 'Pod',
  resource: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  returnsDeleted: true,
  doc: 'A group of containers that run together on one node and share its network and volumes.',
  versions: [{ version: 'v1', type: Pod }],
  rules: workloads.of('podRules'),
  status: true,
  subresources: [
    { name: 'attach', kind: 'PodAttachOptions', verbs: ['create', 'get'], connects: 'once', query: terminal },
    { name: 'binding', kind: 'Binding', verbs: ['create'] },
    {
      name: 'ephemeralcontainers',
      kind: 'EphemeralContainers',
      verbs: ['get', 'patch', 'update'],
      gate: 'EphemeralContainers',
    },
    { name: 'eviction', kind: 'Eviction', group: 'policy', version: 'v1beta1', verbs: ['create'] },
    {
      name: 'exec',
      kind: 'PodExecOptions',
      verbs: ['create', 'get'],
      connects: 'once',
      query: { command: 'string', ...terminal },
    },
    {
      name: 'log',
      kind: 'Pod',
      verbs: ['get'],
      query: {
        container: 'string',
        follow: 'boolean',
        insecureSkipTLSVerifyBackend: 'boolean',
        limitBytes: 'integer',
        previous: 'boolean',
        sinceSeconds: 'integer',
        tailLines: 'integer',
        timestamps: 'boolean',
      },
    },
    {
      name: 'portforward',
      kind: 'PodPortForwardOptions',
      verbs: ['create', 'get'],
      connects: 'once',
      query: { ports: 'integer' },
    },
    { name: 'proxy', kind: 'PodProxyOptions', ...proxy },
  ],
  columns: tables.of('podColumns'),
  rowConditions: (pod) => tables.get().podRowConditions(pod),
  selectable: {
    'spec.nodeName': ({ spec }) => spec.nodeName ?? '',
    'spec.host': ({ spec }) => spec.nodeName ?? '',
    'spec.restartPolicy': ({ spec }) => spec.restartPolicy ?? '',
    'spec.schedulerName': ({ spec }) => spec.schedulerName ?? '',
    'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName ?? '',
    'status.phase': ({ status }) => status.phase ?? '',
    'status.podIP': ({ status }) => status.podIP ?? '',
    // The reference takes this name but never fills it in.
    'status.podIPs': () => '',
    'status.nominatedNodeName': ({ status }) => status.nominatedNodeName ?? '',
  },
});
