/** Options that are seldom given: templates for what was done, how deletions go, what runs locally, and options that a command does not have. */
import type { Family } from '../family.ts';

const POD =
  'apiVersion: v1\nkind: Pod\nmetadata: {name: alone, namespace: default}\nspec: {containers: [{name: c, image: nginx}]}\n';
const MAP =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m, namespace: default, labels: {set: a}}\ndata: {a: b}\n';
const NAME = '{{.metadata.name}}';

export const options: Family = {
  name: 'options',
  writes: true,
  objects: `
apiVersion: apps/v1
kind: Deployment
metadata: {name: two, namespace: default, labels: {app: two}}
spec:
  replicas: 0
  selector: {matchLabels: {app: two}}
  template: {metadata: {labels: {app: two}}, spec: {containers: [{name: a, image: nginx:1, ports: [{containerPort: 80}]}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: alone, namespace: default, labels: {app: alone}}
spec: {nodeName: node-2, automountServiceAccountToken: false, terminationGracePeriodSeconds: 0, containers: [{name: c, image: nginx, ports: [{containerPort: 80}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: svc, namespace: default}
spec: {clusterIP: 10.0.0.130, ports: [{port: 80}]}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: robot, namespace: default}
`,
  awaits: [{ line: 'get pod alone -o jsonpath={.status.phase}', until: 'Running' }],
  files: {
    'pod.yaml': POD,
    'map.yaml': MAP,
    'map2.yaml': MAP.replace('a: b}', 'a: c}'),
    'maps.yaml': `${MAP}---\n${MAP.replace('name: m', 'name: extra').replace('set: a', 'set: b')}`,
    'name.tpl': `<${NAME}>\n`,
    'svc.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: svc}\nspec: {selector: {a: b}, ports: [{port: 80}]}\n',
    'svcs/a.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: inner}\nspec: {ports: [{port: 80}]}\n',
    'role.yaml':
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r, namespace: default}\nrules: [{apiGroups: [""], resources: [pods], verbs: [get]}]\n',
    'tls.crt': 'no certificate\n',
  },
  steps: [
    // Templates of what was done.
    ...[
      'create configmap t1',
      'create sa t2',
      'create ns t3',
      'create deployment t4 --image=nginx --replicas=0',
    ].flatMap((line) => [
      `${line} --template=${NAME} --dry-run=client`,
      `${line} -o go-template --template={{.kind}} --dry-run=client`,
    ]),
    `create configmap t5 -o template --template=${NAME}`,
    'create configmap t6 -o jsonpath --template={.metadata.name}',
    'create configmap t7 -o templatefile --template=name.tpl',
    'create configmap t8 -o go-template-file=name.tpl',
    'create configmap t9 -o go-template-file=nosuch.tpl',
    'create configmap t10 -o jsonpath={.nosuch}',
    'create configmap t11 -o jsonpath={.nosuch} --allow-missing-template-keys=false',
    'create configmap t13 -o go-template={{.nosuch}} --dry-run=client',
    'create configmap t14 -o go-template={{',
    'create configmap t15 -o jsonpath={',
    'create configmap t16 -o jsonpath-as-json={.metadata.name} --dry-run=client',
    'create configmap t17 -o custom-columns=A:.kind',
    'create configmap t18 -o wide',
    `label deploy two x=y --template=${NAME}`,
    `annotate deploy two x=y --template=${NAME}`,
    `patch deploy two -p {"spec":{"replicas":0}} --template=${NAME}`,
    `scale deploy two --replicas=0 --template=${NAME}`,
    `taint nodes node-1 a=b:NoSchedule --template=${NAME}`,
    'taint nodes node-1 a-',
    `set image deploy/two a=nginx:2 --template=${NAME}`,
    `set env deploy/two A=b --template=${NAME}`,
    `set resources deploy/two --limits=cpu=1 --template=${NAME}`,
    `set serviceaccount deploy/two robot --template=${NAME}`,
    `set selector svc svc a=b --template=${NAME}`,
    `rollout pause deploy/two --template=${NAME}`,
    `rollout resume deploy/two --template=${NAME}`,
    `expose deploy two --name=e1 --port=80 --dry-run=client --template=${NAME}`,
    `autoscale deploy two --max=3 --dry-run=client --template=${NAME}`,
    `apply -f map.yaml --template=${NAME}`,
    `replace -f map2.yaml --template=${NAME}`,
    `apply set-last-applied -f map.yaml --create-annotation --template=${NAME}`,
    `auth reconcile -f role.yaml --template=${NAME}`,
    `wait --for=condition=Ready pod/alone --template=${NAME}`,
    'wait --for=condition=Ready pod/alone -o name',
    `config view --template={{.kind}}`,
    'config view -o go-template={{.kind}}',
    'config view -o jsonpath={.kind}',
    'config view -o wide',
    // How deletions go.
    'replace -f map2.yaml --timeout=5s',
    'replace -f map2.yaml --grace-period=5',
    'replace -f map2.yaml --wait',
    'replace -f map2.yaml --force --timeout=30s',
    'replace -f map2.yaml --force --grace-period=0 --cascade=orphan',
    'replace -f map2.yaml --force --cascade=nosuch',
    'replace -f map2.yaml --cascade=foreground --force',
    'replace -f map2.yaml --record',
    'apply -f map.yaml --grace-period=5',
    'apply -f map.yaml --timeout=5s',
    'apply -f map.yaml --wait',
    'apply -f map.yaml --cascade=orphan',
    'apply -f map.yaml --cascade=nosuch',
    'apply -f map.yaml --force --grace-period=5',
    'apply -f map.yaml --openapi-patch=false',
    'apply -f maps.yaml',
    'apply -f map.yaml --prune -l set --cascade=background --grace-period=3',
    'apply -f map.yaml --prune --all --dry-run=client --prune-whitelist=core/v1/ConfigMap',
    'apply -f map.yaml --prune --all --prune-whitelist=core/v1/NoSuch',
    'delete -f map.yaml --cascade=nosuch',
    'delete -f map.yaml --timeout=nosuch',
    'delete -f map.yaml --timeout=5',
    'delete -f map.yaml --grace-period=x',
    'delete -f map.yaml --ignore-not-found --wait=false',
    'delete -f map.yaml --ignore-not-found',
    'delete -f map.yaml',
    // What runs locally, and selectors beside files.
    'create -f maps.yaml -l set=a',
    'create -f maps.yaml -l set=nosuch',
    'create -f maps.yaml -l ==',
    'diff -f maps.yaml -l set=a',
    'diff -f maps.yaml -l set=b --dry-run',
    'delete cm m extra --ignore-not-found',
    'create -f map.yaml --windows-line-endings',
    'wait --for=delete cm/nosuch --local',
    'wait --for=condition=Ready -f pod.yaml',
    'wait --for=condition=Ready -R -f pod.yaml --timeout=1s',
    'wait -k . --for=delete',
    'set selector -f svcs a=b --local -o name',
    'set selector -f svc.yaml c=d --local -o jsonpath={.spec.selector}',
    'set selector -f svc.yaml c=d --dry-run=client',
    'set selector svc svc',
    'set selector svc -l a=b c=d',
    'set serviceaccount deploy -l app=two robot',
    'set serviceaccount deploy --all robot',
    'set image deploy -l app=two a=nginx:3',
    'set env deploy -l app=two B=c',
    'set env deploy --all --list',
    'set resources deploy -l app=nosuch --limits=cpu=1',
    'set subject rolebinding -l app=two --user=u',
    'exec -f pod.yaml -- hostname',
    'exec -f nosuch.yaml -- hostname',
    'exec -f pod.yaml',
    'exec alone --pod-running-timeout=0s -- hostname',
    'exec alone --pod-running-timeout=-1s -- hostname',
    'exec alone -c nosuch -- hostname',
    'logs alone --insecure-skip-tls-verify-backend --tail=0',
    'logs alone --pod-running-timeout=0s --tail=0',
    'logs alone --since=x',
    'logs alone --since=5s --since-time=2020-01-01T00:00:00Z',
    'logs alone --since-time=yesterday',
    'logs alone --since-time=2020-01-01',
    'logs alone --since-time=2020-01-01T10:00:00',
    'logs alone --since-time=2020-01-01T10:00:00Z --tail=0',
    'logs alone --limit-bytes=-1',
    'logs alone --tail=-2',
    // Runs and services.
    'run r1 --image=nginx --hostport=80 --port=8080 --dry-run=client -o yaml',
    'run r2 --image=nginx --hostport=80 --dry-run=client',
    'run r3 --image=nginx --privileged --dry-run=client -o yaml',
    'run r4 --image=nginx --privileged=false --hostport=-1 --dry-run=client -o name',
    'run r5 --image=nginx --cascade=orphan --wait --timeout=1s --grace-period=5 --dry-run=client',
    'run r6 --image=nginx --validate=false --dry-run=client',
    'run r7 --image=nginx -f pod.yaml --dry-run=client',
    `run r8 --image=nginx --dry-run=client --template=${NAME}`,
    'create svc clusterip s1 --tcp=80 --node-port=30080',
    'create svc nodeport s2 --tcp=80 --clusterip=None',
    'create svc loadbalancer s3 --tcp=80 --external-name=x',
    'create svc externalname s4 --external-name=x.y --node-port=1',
    'create svc externalname s5 --external-name=x.y --tcp=80 --dry-run=client -o yaml',
    'create svc nodeport s6 --tcp=80 --node-port=30080 --dry-run=client -o yaml',
    'create svc nodeport s7 --tcp=80 --node-port=x',
    'create secret tls s8 --cert=tls.crt --key=tls.crt --append-hash',
    'create secret tls s9 --cert=nosuch --key=nosuch --append-hash',
    'expose deploy two --generator=service/v1 --port=80 --dry-run=client',
    'expose deploy two --generator=nosuch --port=80 --dry-run=client',
    // Options that a command does not have.
    ...[
      'edit deploy two --all',
      'edit deploy two -l a=b',
      'edit deploy two --dry-run=client',
      'edit deploy two --field-selector=a',
    ],
    ...['patch deploy --all -p {}', 'patch deploy -l a=b -p {}', 'patch deploy two --field-selector=a -p {}'],
    ...[
      'label pods -A --all a=b',
      'annotate pods --all-namespaces --all a=b',
      'scale deploy two --field-selector=a --replicas=1',
    ],
    ...[
      'expose deploy --all',
      'expose deploy two --validate',
      'autoscale deploy --all --max=2',
      'autoscale deploy two --validate --max=2',
    ],
    ...[
      'taint nodes -f pod.yaml a=b:NoSchedule',
      'taint nodes -R --all a=b:NoSchedule',
      'taint nodes node-1 --validate=false b=c:NoSchedule',
    ],
    ...[
      'taint nodes node-1 b-',
      'taint nodes node-1 --validate=x b-',
      'set selector svc svc -k . a=b',
      'set sa deploy two -l a=b robot x',
    ],
    ...[
      'apply view-last-applied cm --field-selector=a',
      'apply set-last-applied -k .',
      'apply set-last-applied -R -f map.yaml',
    ],
    ...['apply edit-last-applied cm --all', 'apply edit-last-applied cm -l a=b'],
    // Options of every command.
    ...['--logtostderr', '--alsologtostderr=false', '--log-dir=x', '--log-file-max-size=1'],
    ...[
      '--log-flush-frequency=1s',
      '--log-flush-frequency=1',
      '--stderrthreshold=1',
      '--skip-headers',
      '--one-output',
      '--profile=none',
    ],
    ...[
      '--skip-log-headers',
      '--add-dir-header',
      '--log-backtrace-at=a.go:1',
      '--match-server-version=x',
      '--nosuch',
      '--namespace',
      '-z',
      '-n',
    ],
  ].map((step) => (step.startsWith('-') ? `${step} get ns default -o name` : step)),
};
