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
