/** Changes in the rarer ways: other kinds of workloads, requests as they are, roles from files, builds of folders. */
import type { Family, Step } from '../family.ts';

const workloads = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, labels: {app: db}}
spec:
  replicas: 0
  serviceName: db
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: db, image: "redis:5"}]}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template: {metadata: {labels: {app: agent}}, spec: {nodeSelector: {none: here}, containers: [{name: agent, image: "busybox:1"}]}}
---
apiVersion: v1
kind: ReplicationController
metadata: {name: old}
spec:
  replicas: 0
  selector: {app: old}
  template: {metadata: {labels: {app: old}}, spec: {containers: [{name: old, image: nginx}]}}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: bare}
spec:
  replicas: 0
  selector: {matchLabels: {app: bare}}
  template: {metadata: {labels: {app: bare}}, spec: {containers: [{name: bare, image: nginx}]}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: once}
spec: {parallelism: 0, template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}
`;

const roles = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: default}
rules:
- {apiGroups: [""], resources: [pods, configmaps], verbs: [get, list]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: reads, namespace: default}
subjects: [{kind: User, name: jane, apiGroup: rbac.authorization.k8s.io}]
roleRef: {kind: Role, name: reader, apiGroup: rbac.authorization.k8s.io}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: ignored}
`;

/** What these lines print depends on what the controllers have seen to. */
const created: Step = { line: 'get sts,ds -o jsonpath={.items[*].status.observedGeneration}', until: '1 1' };
const daemonSettled: Step = { line: 'get ds agent -o jsonpath={.status.observedGeneration}', until: '2' };

export const errands: Family = {
  name: 'errands',
  writes: true,
  files: {
    'workloads.yaml': workloads,
    'roles.yaml': roles,
    'fewer.yaml': roles.replace('pods, configmaps', 'pods').replace('name: jane', 'name: john'),
    'binding.yaml': roles.split('---')[1]?.replace('name: reader', 'name: other') ?? '',
    'cm.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"raw"},"data":{"a":"1"}}',
    'cm2.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"raw"},"data":{"a":"2"}}',
    'patch.json': '[{"op":"replace","path":"/data/a","value":"3"}]',
    'bad.yaml':
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: bad}\nspec: {replicas: many, selector: {}, template: {}}\n',
    'dup.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: raw}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: raw}\n',
  },
  steps: [
    'create -f workloads.yaml',
    'get sts,ds,rc,rs,job',
    created,
    'rollout history sts/db',
    'rollout history ds/agent',
    'rollout history sts',
    'rollout history ds/agent --revision=1',
    'rollout history sts/db --revision=1',
    'rollout history ds/agent --revision=7',
    'rollout status sts/db',
    'rollout status ds/agent',
    'rollout status sts/db --revision=1',
    'rollout status rc/old',
    'rollout status deploy/web --timeout=5s',
    'rollout pause sts/db',
    'rollout resume ds/agent',
    'rollout undo sts/db',
    'rollout undo ds/agent',
    'rollout restart sts/db',
    'rollout restart ds/agent',
    daemonSettled,
    'rollout restart sts/db ds/agent',
    'rollout restart rs/bare',
    'rollout undo ds/agent --to-revision=1 --dry-run=client',
    'rollout undo ds/agent --to-revision=44',
    'rollout status deploy/web deploy/web',
    'set image ds/agent agent=busybox:2',
    'set image sts/db,ds/agent *=busybox:3',
    'set image deploy,ds,sts --all *=busybox:4',
    'set image sts -l app=db db=redis:6 -o name',
    'set image job/once c=busybox:2',
    'set image rc old old=nginx:2',
    'set image cj/nightly c=busybox:2',
    'set image deploy/web web=',
    'set image deploy/web =x',
    'set resources sts/db --requests=cpu=1,memory=1Gi -o jsonpath={.spec.template.spec.containers[0].resources}',
    'set resources deploy/web --requests=cpu=0,memory=0',
    'set env sts/db --from=secret/password',
    'set env sts/db --list --resolve',
    'set env ds/agent A=1 --dry-run=client',
    'set env pod/web-1 A=1',
    'set env cj/nightly A=1',
    'set env deploy --all X=y',
    'set serviceaccount sts/db robot',
    'set serviceaccount cj/nightly robot --dry-run=server',
    'set subject clusterrolebinding cluster-admin --user=x --dry-run=client',
    'set selector svc/web a=b --dry-run=client -o jsonpath={.spec.selector}',
    'scale sts db --replicas=1 --dry-run=server',
    'scale sts/db rs/bare rc/old --replicas=0',
    'scale job once --replicas=1',
    'scale ds agent --replicas=1',
    'scale pod web-1 --replicas=1',
    'scale -f workloads.yaml --replicas=0',
    'scale sts db --replicas=x',
    'scale deploy web --replicas=1 --current-replicas=0 --timeout=10s',
    'scale deploy web --replicas=0',
    'autoscale rc old --max=2',
    'autoscale rs/bare sts/db --max=3',
    'autoscale ds agent --max=2',
    'autoscale -f workloads.yaml --max=2',
    'autoscale deploy web --max=0',
    'get hpa',
    'expose rc old --port=80',
    'expose rs bare --port=80 --protocol=UDP --labels=a=b -o jsonpath={.spec.ports}{.metadata.labels}',
    'expose sts db --port=80',
    'expose ds agent --port=80',
    'expose pod web-1 --port=80 --selector=x=y --name=sel --session-affinity=ClientIP',
    'expose pod web-1 --port=80,443 --name=two -o jsonpath={.spec.ports[*].port}',
    'expose pod web-1 --port=80 --name=ext --external-ip=1.2.3.4 --load-balancer-ip=5.6.7.8 --dry-run=client -o jsonpath={.spec}',
    'expose pod web-1 --port=80 --name=hl --cluster-ip=None --dry-run=client -o jsonpath={.spec.clusterIP}',
    'expose pod web-1 --port=80 --name=bad --type=Nosuch --dry-run=client',
    'expose svc nosuch --port=1',
    'expose node node-1 --port=80',
    'expose -f workloads.yaml --port=80',
    'create --raw /api/v1/namespaces/default/configmaps -f cm.json',
    'create --raw /api/v1/namespaces/default/configmaps -f cm.json',
    'create --raw /nosuch -f cm.json',
    'create --raw x -f cm.json',
    'create --raw /api -f a -f b',
    'create --raw /api -f cm.json -o name',
    'replace --raw /api/v1/namespaces/default/configmaps/raw -f cm2.json',
    'replace --raw /api/v1/namespaces/default/configmaps/nosuch -f cm2.json',
    'patch cm raw --type=json --patch-file=patch.json',
    'patch cm raw --type json -p [{"op":"test","path":"/data/a","value":"9"}]',
    'patch cm raw --type json -p [{"op":"copy","from":"/data/a","path":"/data/b"},{"op":"move","from":"/data/b","path":"/data/c"}] -o jsonpath={.data}',
    'patch cm raw --type merge -p nonsense',
    'patch cm raw -p []',
    'patch node node-1 -p {"spec":{"unschedulable":false}}',
    'patch sts db -p {"spec":{"serviceName":"x"}}',
    'patch svc web --type=merge -p {"spec":{"ports":[{"port":81}]}} -o jsonpath={.spec.ports[*].port}',
    'patch deploy,sts web -p {}',
    'patch pod web-1 -p {"spec":{"containers":[{"name":"main","image":"nginx:9"}]}}',
    'patch pod web-1 -p {"spec":{"nodeName":"node-2"}}',
    'replace -f dup.yaml',
    'create -f dup.yaml',
    'apply -f dup.yaml',
    'apply -f bad.yaml',
    'create -f bad.yaml --validate=false',
    'replace -f bad.yaml',
    'apply -f nosuch.json -f cm.json',
    'apply -f cm.json -o yaml --dry-run=client',
    'apply -f cm.json extra',
    'apply view-last-applied',
    'apply nosuch -f cm.json',
    'delete --raw /api/v1/namespaces/default/configmaps/raw',
    'delete --raw /api/v1/namespaces/default/configmaps/raw',
    'auth reconcile -f roles.yaml --dry-run=client',
    'auth reconcile -f roles.yaml',
    'auth reconcile -f roles.yaml',
    'auth reconcile -f roles.yaml -o yaml',
    'auth reconcile -f fewer.yaml',
    'get role reader -o jsonpath={.rules}',
    'get rolebinding reads -o jsonpath={.subjects[*].name}',
    'auth reconcile -f fewer.yaml --remove-extra-permissions --remove-extra-subjects',
    'get role reader -o jsonpath={.rules}',
    'get rolebinding reads -o jsonpath={.subjects[*].name}',
    'auth reconcile -f binding.yaml',
    'get rolebinding reads -o jsonpath={.roleRef.name}',
    'auth reconcile',
    'auth reconcile -f nosuch.yaml',
    'auth reconcile -f cm.json',
    'auth reconcile x',
    'label ns default team=web',
    'label nodes --all zone=a',
    'label sts,ds --all k=v',
    'label pod/web-1 svc/web both=yes',
    'label pods web-1 nosuch a=b',
    'label -f workloads.yaml x=y --dry-run=client -o name',
    'annotate sts db kubernetes.io/change-cause=why',
    'annotate ns default note={"a":1}',
    'taint node node-1 a=b:NoSchedule c=d:PreferNoSchedule',
    'taint node node-1 a:NoSchedule- c:PreferNoSchedule-',
    'taint node node-1 a-',
    'taint node node-1 a=b:NoSchedule a=c:NoSchedule',
    'certificate deny nosuch',
    'drain node-2 --ignore-daemonsets --force --delete-local-data --pod-selector=app=none',
    'uncordon node-2',
    'wait sts/db --for=delete --timeout=1s',
    'delete ds/agent --wait=false',
    'delete pods web-1 web-10 web-2 --force --grace-period=0 --wait=false',
    'delete svc web --timeout=10s',
    'delete all -l app=none',
    'delete pods web-1 -n nosuch',
    'delete role/reader rolebinding/reads',
    'delete node nosuch',
    'delete crd nosuch',
    'cluster-info nosuch',
  ],
};
