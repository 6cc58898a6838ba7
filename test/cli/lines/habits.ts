/** Lines that people type every day in the forms of guides and cheat sheets, and outputs that hold a whole object. */
import type { Family } from '../family.ts';

const NGINX = '{containers: [{name: c, image: nginx}]}';

export const habits: Family = {
  name: 'habits',
  writes: true,
  objects: `
apiVersion: apps/v1
kind: Deployment
metadata: {name: two, namespace: default, labels: {part: x}}
spec:
  replicas: 0
  selector: {matchLabels: {app: two}}
  template: {metadata: {labels: {app: two}}, spec: {containers: [{name: a, image: "nginx:1"}, {name: b, image: "busybox:1"}]}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: default, labels: {part: x}}
spec: {replicas: 0, serviceName: db, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: ${NGINX}}}
---
apiVersion: v1
kind: Pod
metadata: {name: alone, namespace: default, labels: {app: alone}, annotations: {a: "1"}}
spec: {nodeName: node-2, automountServiceAccountToken: false, terminationGracePeriodSeconds: 0, volumes: [{name: e, emptyDir: {}}], containers: [{name: c, image: nginx}]}
---
apiVersion: v1
kind: Pod
metadata: {name: bare, namespace: default, labels: {app: bare}}
spec: {nodeName: node-2, automountServiceAccountToken: false, terminationGracePeriodSeconds: 0, containers: [{name: c, image: nginx}]}
---
apiVersion: v1
kind: Service
metadata: {name: many, namespace: default}
spec: {clusterIP: 10.0.0.130, ports: [{name: a, port: 80}, {name: b, port: 53, protocol: UDP}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: conf, namespace: default, labels: {z: "1", a: "2"}}
data: {z: "1", a: "2", m: "3"}
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
  awaits: [
    { line: 'get pod alone -o jsonpath={.status.phase}', until: 'Running' },
    { line: 'get pod bare -o jsonpath={.status.phase}', until: 'Running' },
  ],
  files: {
    'role.yaml':
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: small, namespace: default, labels: {l: m}}\nrules: [{apiGroups: [""], resources: [pods, services], verbs: [get, list]}]\n',
    'new.yaml':
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: fresh}\nrules: [{apiGroups: [""], resources: [pods], verbs: [get]}]\n',
    'cm.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: filed, namespace: default}\ndata: {a: b}\n',
    'many/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: in-a, namespace: default}\n',
    'many/deep/b.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"in-b","namespace":"default"}}',
    'many/readme.txt': 'no manifest',
  },
  steps: [
    // Several warnings, and pods that are in the way for several reasons.
    'drain node-2 --dry-run=client',
    'drain node-2 --force --dry-run=client',
    'drain node-2 --force --delete-emptydir-data --dry-run=client',
    'drain node-2 --pod-selector="app in (alone,bare)" --dry-run=client',
    'drain node-2 --pod-selector="app in (alone,bare)" --force --dry-run=server',
    'auth reconcile -f role.yaml --dry-run=client -o yaml',
    'auth reconcile -f role.yaml --remove-extra-permissions --remove-extra-subjects',
    'set env deploy/two --from=configmap/conf --prefix=P_ -c a',
    'set env deploy --all --list --resolve',
    'set subject rolebinding none --user=anna',
    // Templates that fail print the object that they were given.
    'get cm conf -o go-template={{.data.a.b.c}}',
    'get cm conf -o go-template={{index .data.nosuch 1}}',
    'get cm conf -o go-template={{nosuch .data}}',
    'get cm conf -o jsonpath={.data.nosuch}',
    'get cm conf -o jsonpath={.data[0].x}',
    'get cm conf -o jsonpath={.nosuch[0].x}',
    'get cm conf -o jsonpath={.data.a[1]}',
    'get cm conf -o jsonpath={.data[}',
    'get ns empty -o jsonpath={.spec.finalizers[7]}',
    'get ns empty -o template={{.spec.finalizers.x}}',
    'get cm conf -o go-template={{len .data}}{{printf "%q" .data.a}}{{.data}}',
    'get cm conf -o jsonpath-as-json={.data}',
    'get cm conf -o jsonpath={.data}',
    // Everyday reading.
    'get po,svc,deploy',
    'get pods --field-selector=status.phase=Running -o name',
    'get pods --field-selector status.phase!=Running,metadata.namespace=default',
    'get pods -o custom-columns=NAME:.metadata.name,NODE:.spec.nodeName,IMG:.spec.containers[*].image,NONE:.x.y',
    "get pods --sort-by='{.status.containerStatuses[0].restartCount}' -o name",
    `get pods -o jsonpath='{range .items[*]}{.metadata.name}{"\\t"}{.status.phase}{"\\n"}{end}'`,
    `get nodes -o jsonpath='{.items[*].status.addresses[?(@.type=="Hostname")].address}'`,
    "get pods -l 'app in (alone,two),tier!=x' -o name",
    'get pods --show-kind --no-headers -o wide -n empty',
    'get pods -Lapp -L a',
    'get deploy two alone',
    'get deploy/two alone',
    'get pods/alone svc',
    'get cs',
    'get pod alone -o yaml --export',
    'get pods --all',
    'get pods -o',
    'get pod alone -o nosuch',
    'get pods,nosuch',
    'get deployments.apps/two deployments.v1.apps/two -o name',
    'get deployments.v1beta1.apps',
    'get -f cm.yaml',
    'get -f many -R --ignore-not-found',
    'get --raw=/healthz',
    'get --raw /api/v1/namespaces/default/pods/nosuch',
    'explain pod.spec.containers.livenessProbe.httpGet',
    'explain cronjob.spec.jobTemplate --api-version=batch/v1beta1',
    'describe po alo',
    'describe role small',
    'describe svc many -n empty',
    // Everyday changes.
    'create secret docker-registry reg --docker-server=x --docker-username=u --docker-password=p --docker-email=e -o yaml --dry-run=client',
    'create ingress ing --rule=foo.com/bar*=svc1:8080,tls=my-cert --class=default -o yaml --dry-run=client',
    'create ingress ing --rule=foo.com',
    'create cronjob cj --image=busybox --schedule="*/1 * * * *" --dry-run=client -o yaml -- date',
    'create job j --from=cronjob/nosuch',
    'create job j --image=busybox --from=cronjob/x',
    'create quota q --hard=pods=10,requests.cpu=1 --scopes=BestEffort --dry-run=client -o yaml',
    'create token default',
    'create deploy d --image=a --image=b --port=80 -r 2 --dry-run=client -o yaml',
    'create cm c --from-env-file=nosuch --dry-run=client',
    'create secret generic s --from-literal=a=b --type=x/y --append-hash --dry-run=client -o yaml',
    'run b --image=busybox --restart=Never --env=A=b --labels=x=y --dry-run=client -o yaml --command -- sh -c "echo hi"',
    'run b --image=busybox --replicas=2',
    'run b --image=busybox --limits=cpu=x --dry-run=client',
    'expose pod alone --port=80 --target-port=http --name=al --dry-run=client -o yaml',
    'expose deploy two --dry-run=client',
    'scale deploy two --current-replicas=5 --replicas=1',
    'scale --replicas=0 deploy/two sts/db',
    'scale deploy --all --replicas=0',
    'autoscale deploy two --min=2 --max=1',
    'autoscale deploy two --max=3 --cpu-percent=50 --dry-run=client -o yaml',
    'rollout pause sts/db',
    'rollout undo deploy/two --to-revision=99',
    'rollout history sts/db',
    'rollout restart pod/alone',
    'label pod alone app=b',
    'label pods --all x=y --overwrite',
    'label pod alone x-',
    'annotate pod alone bare a=2 --overwrite',
    'annotate pod alone --list',
    'taint nodes node-1 a=b:NoSchedule c:NoExecute-',
    'taint nodes node-1 a:NoSchedule-',
    'taint nodes node-1 a=b:Nothing',
    'cordon node-1 node-9',
    'uncordon node-1',
    'top pods',
    'top pod nosuch',
    'auth can-i create pods --subresource=exec -n empty',
    "auth can-i '*' '*' --as nobody",
    'auth can-i get /healthz -q',
    'api-resources --verbs=list,get --namespaced -o name --api-group=apps',
    'wait --for=condition=Ready pod/alone --timeout=1s',
    'wait --for=condition=Available=false deploy/two --timeout=0',
    "wait --for=jsonpath='{.status.phase}'=Running pod/alone",
    'wait --for=delete pod/nosuch --timeout=1s',
    'patch deploy two --type=json -p=[{"op":"remove","path":"/spec/template/spec/containers/1"}]',
    'patch deploy two --type=json -p=[{"op":"remove","path":"/spec/nosuch"}]',
    'patch cm conf -p {"data":{"a":null}} -o yaml',
    'patch pod alone -p {"spec":{"nodeName":"node-1"}}',
    'apply -f many -R',
    'apply -f many --prune -l nosuch=1',
    'apply -f cm.yaml --dry-run=server',
    'apply -f cm.yaml -o name',
    'apply view-last-applied -f cm.yaml',
    'diff -f cm.yaml',
    'replace --force -f cm.yaml',
    'delete -f many -R',
    'delete cm filed nosuch',
    'delete pod nosuch --ignore-not-found',
    'delete pods -l nosuch=1',
    'delete pod --all -n empty',
    'delete pod/bare svc many',
    'delete pod alone --grace-period=0 --force',
    'delete pods',
    'delete ns default --dry-run=client',
    'logs deploy/two',
    'logs nosuch -f',
    'exec nosuch date',
    'get foo/bar',
    'get pods alone svc/many',
    'rollout',
    'set',
    'config get-contexts -o name',
    'config current-context extra',
    'cluster-info nosuch',
    'completion',
    'completion fish',
    'proxy --port=x',
    'attach nosuch',
    'cp a b',
    'debug alone',
    'certificate approve nosuch',
    'edit nosuch/x',
    'plugin',
  ],
};
