/** What people seldom ask for: patches of files, an apply that overwrites nothing, scripts for other shells. */
import type { Family } from '../family.ts';

const deployment = (more: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: kept, namespace: default}
spec:
  replicas: 0
  selector: {matchLabels: {a: b}}
  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: b${more}}]}}
`;

export const seldom: Family = {
  name: 'seldom',
  writes: true,
  files: {
    'pod.yaml': `apiVersion: v1
kind: Pod
metadata: {name: a}
spec: {containers: [{name: c, image: b}, {name: d, image: e}]}
`,
    'patch.yaml': 'metadata: {labels: {a: b}}\n',
    'map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept, namespace: default}\ndata: {a: "1"}\n',
    'deploy.yaml': deployment(''),
    'deploy2.yaml': deployment(', env: [{name: A, value: b}]'),
    'map2.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept, namespace: default}\ndata: {a: "2"}\n',
  },
  steps: [
    'completion',
    'completion fish',
    'completion bash zsh',
    'patch --local -f pod.yaml -p {"spec":{"x":1}}',
    'patch --local -f pod.yaml -p {"spec":{"containers":[{"name":"c","image":"d"}]}} -o yaml',
    'patch --local -f pod.yaml -p {"spec":{"containers":[{"name":"c","$patch":"delete"}]}} -o yaml',
    'patch --local -f pod.yaml --type=merge -p {"spec":{"containers":[{"name":"c","image":"d"}]}} -o yaml',
    `patch --local -f pod.yaml --type=json -p '[{"op":"remove","path":"/spec/containers/0"}]' -o yaml`,
    'patch --local -f pod.yaml --patch-file=patch.yaml -o yaml',
    'patch --local -f pod.yaml -p {"metadata":{"name":"a"}}',
    'patch --local pod a -p {}',
    'patch --local -f pod.yaml -p {} --dry-run=server',
    'label --local -f pod.yaml x=y -o yaml',
    'patch --local -p {}',
    'patch --local -f nosuch.yaml -p {}',
    'apply -f map.yaml --overwrite=false',
    'apply -f map.yaml --overwrite=false',
    'label cm kept x=y',
    'apply -f map.yaml --overwrite=false',
    'patch cm kept -p {"data":{"a":"9","b":"1"}}',
    'apply -f map.yaml --overwrite=false',
    'get cm kept -o jsonpath={.data}',
    'apply -f map2.yaml --overwrite=false',
    'apply -f map2.yaml',
    'get cm kept -o jsonpath={.data}',
    'delete cm kept',
    'create -f deploy.yaml',
    'apply -f deploy2.yaml --overwrite=false',
    'get deploy kept -o jsonpath={.spec.template.spec.containers[0].env}',
    'delete deploy kept',
  ],
};
