/** Changes in forms that are seldom typed: their errors, and several objects at once. */
import type { Family } from '../family.ts';

/** Waits until the controller has seen the changes of the deployment. */
const SETTLED = {
  line: 'rollout status deploy/two --watch=false',
  until: 'deployment "two" successfully rolled out\n',
};
const NGINX = '{containers: [{name: c, image: nginx}]}';

export const chores: Family = {
  name: 'chores',
  writes: true,
  objects: `
apiVersion: apps/v1
kind: Deployment
metadata: {name: two, namespace: default, labels: {part: x}}
spec:
  replicas: 0
  selector: {matchLabels: {app: two}}
  template: {metadata: {labels: {app: two}}, spec: {containers: [{name: a, image: nginx:1}, {name: b, image: busybox:1}], initContainers: [{name: i, image: busybox:1}]}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: default, labels: {part: x}}
spec: {replicas: 0, serviceName: db, updateStrategy: {type: OnDelete}, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: ${NGINX}}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: default}
spec: {selector: {matchLabels: {app: agent}}, template: {metadata: {labels: {app: agent}}, spec: {nodeSelector: {no: such}, containers: [{name: c, image: nginx}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: alone, namespace: default, labels: {app: alone}, annotations: {a: "1"}}
spec: {nodeName: node-2, automountServiceAccountToken: false, terminationGracePeriodSeconds: 0, volumes: [{name: e, emptyDir: {}}], containers: [{name: c, image: nginx, ports: [{containerPort: 80}, {containerPort: 53, protocol: UDP}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: many, namespace: default}
spec: {clusterIP: 10.0.0.130, ports: [{name: a, port: 80}, {name: b, port: 53, protocol: UDP}]}
---
apiVersion: v1
kind: Namespace
metadata: {name: empty}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: small, namespace: default}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
`,
  awaits: [{ line: 'get pod alone -o jsonpath={.status.phase}', until: 'Running' }],
  files: {
    'role.yaml':
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: small, namespace: default, labels: {l: m}, annotations: {a: b}}\nrules: [{apiGroups: [""], resources: [pods, services], verbs: [get, list]}]\n',
    'cluster.yaml':
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: summed}\naggregationRule: {clusterRoleSelectors: [{matchLabels: {sum: "yes"}}]}\nrules: []\n',
    'binding.yaml':
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: b, namespace: fresh}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: small}\nsubjects: [{kind: ServiceAccount, name: s, namespace: fresh}]\n',
    'list.yaml':
      'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: l1}}\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: l2}, data: {a: b}}\n',
    'broken.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x\n',
    'nokind.yaml': 'apiVersion: v1\nmetadata: {name: x}\n',
    'noversion.yaml': 'kind: ConfigMap\nmetadata: {name: x}\n',
    'noname.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n',
    'empty.yaml': '',
    'wrong.yaml':
      'apiVersion: v1\nkind: Pod\nmetadata: {name: w}\nspec: {containers: [{name: c, image: i, imagePullPolicy: Sometimes}], restartPolicy: Never, nosuch: 1}\n',
    'number.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: num}\ndata: {a: 1}\n',
    'base/kustomization.yaml':
      'resources: [deploy.yaml]\nnamePrefix: pre-\nnameSuffix: -post\ncommonLabels: {team: x}\ncommonAnnotations: {note: y}\nimages: [{name: nginx, newName: httpd, newTag: "2"}]\nreplicas: [{name: web, count: 3}]\nconfigMapGenerator: [{name: conf, literals: [a=b, c=d]}]\n',
    'base/deploy.yaml': `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: nginx:1, envFrom: [{configMapRef: {name: conf}}]}]}}}\n`,
    'over/kustomization.yaml':
      'bases: [../base]\nnamespace: empty\npatchesStrategicMerge: [patch.yaml]\npatchesJson6902: [{target: {group: apps, version: v1, kind: Deployment, name: web}, patch: "[{\\"op\\": \\"add\\", \\"path\\": \\"/spec/paused\\", \\"value\\": true}]"}]\ngeneratorOptions: {disableNameSuffixHash: true, labels: {g: h}}\nsecretGenerator: [{name: s, type: Opaque, literals: [k=v]}]\nconfigMapGenerator: [{name: conf, behavior: merge, literals: [a=z]}]\n',
    'over/patch.yaml':
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: c, resources: {limits: {cpu: "1"}}}]}}}\n',
    'bad/kustomization.yaml': 'resources: [nosuch.yaml]\n',
    'odd/kustomization.yaml': 'nosuchField: 1\nresources: []\n',
    'patched/kustomization.yaml':
      'resources: [../base]\npatches: [{target: {kind: Deployment}, patch: "[{\\"op\\": \\"remove\\", \\"path\\": \\"/spec/nosuch\\"}]"}]\n',
  },
  steps: [
    'kustomize base',
    'kustomize over',
    'kustomize bad',
    'kustomize odd',
    'kustomize patched',
    'kustomize nosuch',
    'kustomize base over',
    'kustomize base/deploy.yaml',
    'apply -k over --dry-run=client -o name',
    'auth reconcile -f role.yaml --dry-run=client -o jsonpath={.rules}',
    'auth reconcile -f role.yaml',
    'auth reconcile -f role.yaml',
    'get role small -o jsonpath={.rules}{.metadata.labels}{.metadata.annotations}',
    'auth reconcile -f cluster.yaml -o name',
    'auth reconcile -f cluster.yaml',
    'auth reconcile -f binding.yaml --dry-run=client',
    'auth reconcile -f binding.yaml',
    'get ns fresh -o name',
    'auth reconcile -f list.yaml',
    ...['broken', 'nokind', 'noversion', 'noname', 'empty', 'wrong', 'number'].flatMap((file) => [
      `create -f ${file}.yaml`,
      `apply -f ${file}.yaml`,
    ]),
    'create -f wrong.yaml --validate=false',
    'create -f list.yaml -o name',
    'apply -f list.yaml',
    'replace -f list.yaml',
    'delete -f list.yaml',
    'delete -f list.yaml --ignore-not-found',
    'create -f nosuch/ -f list.yaml',
    // Workloads.
    'set image deploy/two a=nginx:2 i=busybox:2 --dry-run=client -o jsonpath={.spec.template.spec.initContainers[0].image}',
    'set image deploy/two a=nginx:2 b=busybox:2',
    'set image deploy,sts -l part=x *=httpd',
    'set image deploy/two db/x',
    'set image deploy/two a',
    'set image deploy/two a=b=c --dry-run=client -o jsonpath={..image}',
    'set env deploy/two -c b X=1',
    'set env deploy/two --list',
    'set env deploy/two --list -c nosuch',
    'set env deploy/two X-',
    'set env deploy/two --from=cm/settings --prefix=P_ --keys=plain,number',
    'set env deploy/two P_PLAIN- P_NUMBER- --containers=b',
    'set env sts/db A=1 --dry-run=server -o jsonpath={..env}',
    'set resources deploy/two -c a --limits=cpu=1 --requests=cpu=1',
    'set resources deploy/two --limits=cpu=0 --dry-run=client -o jsonpath={..resources}',
    'set resources sts/db --limits=memory',
    'set selector svc/many a=b',
    'set selector deploy/two a=b',
    'set subject role/small --user=x',
    'set sa sts/db robot',
    'scale deploy/two sts/db --replicas=0',
    'scale deploy two --replicas=1 --current-replicas=5',
    'scale --replicas=1 -l part=x deploy',
    'scale deploy two --replicas=0',
    'scale ds/agent --replicas=1',
    'scale rs --replicas=1',
    'autoscale sts db --max=2 --cpu-percent=50 --dry-run=client -o jsonpath={.spec}',
    'autoscale deploy two --min=1 --max=2 --cpu-percent=50 --name=mine',
    'autoscale deploy two --min=1 --max=2 --name=mine',
    'get hpa mine -o jsonpath={.spec}',
    'autoscale pod alone --max=2',
    'expose pod alone --name=one --dry-run=client -o jsonpath={.spec}',
    'expose pod alone --port=53 --protocol=UDP --name=udp -o name',
    'expose svc many --name=copy --dry-run=client -o jsonpath={.spec}',
    'expose svc many --port=1 --name=copy2 -o name',
    'expose deploy two --port=80',
    'expose deploy two --port=70000 --name=big',
    'expose rs nosuch --port=80',
    'rollout status sts/db',
    'rollout status ds/agent',
    SETTLED,
    'rollout restart deploy -l part=x',
    'rollout restart deploy two db',
    'rollout history deploy two --revision=99',
    'rollout undo deploy two --to-revision=99',
    SETTLED,
    'rollout pause deploy/two',
    'rollout pause deploy/two',
    'rollout restart deploy/two',
    'rollout undo deploy/two',
    'rollout resume deploy/two',
    'rollout resume deploy/two',
    SETTLED,
    'rollout pause ds/agent',
    // Labels and taints.
    'label pod alone a=b c=d app-',
    'label pod alone a=c',
    'label pod alone a=b nosuch-',
    'label pod alone a!=b',
    'label pod alone a=b=c',
    'label pod alone "bad key=x"',
    'label pod alone a=b a-',
    'label pods --all x=y --dry-run=client',
    'label -l a=b pods z=1 --overwrite',
    'label pod alone,web-1 q=1',
    'annotate pod alone a=2',
    'annotate pod alone a=2 --overwrite',
    'annotate pod alone a- b=1 --resource-version=1',
    'annotate pod alone note=',
    'annotate pods -l nosuch=x a=b',
    'taint node node-1 a=b:NoSchedule c=d:NoExecute --dry-run=server',
    'taint node node-1 --all a=b:NoSchedule',
    'taint node node-2 a=b:NoSchedule',
    'taint node node-2 a=c:NoSchedule',
    'taint node node-2 a:NoSchedule- b-',
    'taint pod alone a=b:NoSchedule',
    // Nodes.
    'cordon node-2 -o name',
    'cordon node-2',
    'drain node-2 --dry-run=server',
    'drain node-2 --force',
    'drain node-2 --delete-emptydir-data',
    'drain node-2 --delete-emptydir-data --force --dry-run=client',
    'drain node-2 --dry-run=client',
    'drain node-2 --pod-selector=app=nosuch --force',
    'drain node-2 --selector=a=b node-1',
    'uncordon node-2 --dry-run=client',
    'uncordon node-2 nosuch',
    'uncordon node-2',
    'uncordon -l kubernetes.io/hostname=node-2',
    // Waiting.
    'wait --for=condition=Ready pod/alone --timeout=5s',
    'wait --for=condition=ready=false pod/alone --timeout=0',
    'wait --for=condition=Nosuch pod/alone --timeout=0s',
    'wait --for=delete pod/nosuch',
    'wait --for=delete pods -l app=none',
    'wait --for=jsonpath={.status.phase}=Running pod/alone',
    'wait --for=nosuch pod/alone',
    'wait pod/alone',
    'wait --for=condition=Ready pods -l app=none',
    'wait --for=condition=Available deploy/two --timeout=5s',
    'wait --for=condition=Ready pod --timeout=1s',
    'wait --for=condition= pod/alone --timeout=0s',
    // Deletion.
    'delete pod',
    'delete pod alone --grace-period=5 --force=false --dry-run=client',
    'delete pod alone --now --force',
    'delete pod alone --grace-period=-5',
    'delete pod alone --cascade=nosuch',
    'delete pods -l app=none',
    'delete pods --all -n empty',
    'delete pod,svc nosuch',
    'delete deploy two --cascade=orphan -o name',
    'delete ns nosuch --ignore-not-found',
    'delete all --all -n empty',
    'delete pods -A',
    'delete pods --field-selector=metadata.name=none',
    'delete pods -l a=b --all',
    'delete cm settings --raw=/x',
    'delete --raw=/api/v1/namespaces/default/configmaps/nosuch',
    'delete sts/db ds/agent',
    // Certificates, events.
    'certificate deny nosuch -o name',
    'certificate approve a --force',
    'get events -n empty',
  ],
};
