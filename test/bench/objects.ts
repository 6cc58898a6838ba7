/** A pod as a client sends it; as stored, with everything that the server fills in, it is some 2 KB. */
export function pod(name: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'bench', tier: 'front' }, annotations: { note: 'x'.repeat(200) } },
    spec: {
      containers: [
        {
          name: 'main',
          image: 'nginx:1.19',
          ports: [{ containerPort: 80 }],
          env: [{ name: 'A', value: 'b' }],
          resources: { requests: { cpu: '100m', memory: '64Mi' } },
        },
      ],
    },
  });
}

/** A status as the agent of a pod's node patches it. */
export function podStatus(message: string): string {
  const at = '2026-11-23T00:53:43Z';
  const types = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];
  const main = { name: 'main', image: 'nginx:1.19', imageID: 'nginx@simulated', restartCount: 0 };
  return JSON.stringify({
    status: {
      ...{ phase: 'Running', message, podIP: '10.244.0.2', podIPs: [{ ip: '10.244.0.2' }], startTime: at },
      conditions: types.map((type) => ({ type, status: 'True', lastTransitionTime: at })),
      containerStatuses: [{ ...main, ready: true, started: true, state: { running: { startedAt: at } } }],
    },
  });
}

export function configMap(name: string, bytes = 1000): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: 'x'.repeat(bytes) } });
}

/** How a test's administrator says who it is. */
export const headers = {
  authorization: 'Bearer admintoken',
  'content-type': 'application/json',
  'user-agent': 'bench',
};

export const clusterOptions = {
  apiserver: ['--authorization-mode=RBAC', '--token-auth-file=tokens.csv'],
  files: { 'tokens.csv': 'admintoken,admin,uid-admin,"system:masters"\n' },
  storage: 'memory',
} as const;

/** The same as the reference is usually run: nodes have rights of their own, and so has each controller. */
export const referenceOptions = {
  ...clusterOptions,
  apiserver: ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'],
  controllerManager: ['--use-service-account-credentials=true'],
} as const;
