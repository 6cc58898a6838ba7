/** What `--local` prints: objects of files as the client's own types write them, without the server. */
import type { Family } from '../family.ts';

const GENERATED = [
  'deployment d --image=nginx --replicas=2',
  'job j --image=busybox -- date',
  'cronjob c --image=busybox --schedule="0 * * * *"',
  'configmap c --from-literal=b=1 --from-literal=a=2',
  'secret generic s --from-literal=b=1',
  'secret docker-registry s --docker-username=u --docker-password=p',
  'service clusterip s --tcp=80:8080',
  'service nodeport s --tcp=80 --node-port=30080',
  'service externalname s --external-name=example.com',
  'serviceaccount s',
  'namespace n',
  'quota q --hard=pods=1',
  'role r --verb=get --resource=pods',
  'clusterrole r --verb=get --non-resource-url=/x',
  'rolebinding b --clusterrole=view --user=u',
  'clusterrolebinding b --clusterrole=view --serviceaccount=a:b',
  'poddisruptionbudget p --selector=a=b --min-available=1',
  'priorityclass p --value=5 --description=x',
  'ingress i --rule=a.b/c=svc:80',
];

export const local: Family = {
  name: 'local',
  writes: true,
  objects: `
apiVersion: v1
kind: Pod
metadata: {name: nolabels, namespace: default}
spec: {nodeName: node-1, containers: [{name: c, image: nginx}]}
`,
  files: {
    'dep.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: nginx:1, ports: [{containerPort: 80}], env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}], readinessProbe: {httpGet: {port: 80}}, resources: {limits: {cpu: "1"}}}], volumes: [{name: a, secret: {secretName: b}}, {name: h, hostPath: {path: /x}}]}}}
`,
    'pod.yaml': `apiVersion: v1
kind: Pod
metadata: {name: a}
spec: {containers: [{name: c, image: nginx}]}
`,
    'svc.yaml': `apiVersion: v1
kind: Service
metadata: {name: s}
spec: {ports: [{port: 80}]}
`,
    'cron.yaml': `apiVersion: batch/v1beta1
kind: CronJob
metadata: {name: s}
spec: {schedule: "* * * * *", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: nginx}]}}}}}
`,
    'rb.yaml': `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: b}
roleRef: {kind: Role, name: small}
subjects: [{kind: User, name: s}]
`,
    'cm.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: b}
nosuch: 1
`,
    'multi.yaml': `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec: {serviceName: db, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: {containers: [{name: c, image: nginx}]}}, volumeClaimTemplates: [{metadata: {name: v}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: d, unknown: x}
spec: {nosuch: 1, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: {initContainers: [{name: i, image: nginx}], containers: [{name: c, image: nginx, livenessProbe: {tcpSocket: {port: 1}}, lifecycle: {preStop: {exec: {command: [a]}}}, volumeMounts: [{name: a, mountPath: /a}]}], volumes: [{name: a, emptyDir: {}}]}}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: j}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: nginx, resources: {limits: {memory: 1024Mi, cpu: 1000m}}}]}}}
---
apiVersion: v1
kind: ReplicationController
metadata: {name: j}
spec: {selector: {a: b}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: nginx}]}}}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: j}
spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: nginx}]}}}
`,
  },
  steps: [
    'set image -f dep.yaml c=nginx:2 --local -o yaml',
    'set image -f pod.yaml c=nginx:2 --local -o yaml',
    'set image -f pod.yaml c=nginx:2 --local -o json',
    'set image -f cron.yaml c=nginx:2 --local -o yaml',
    'set image -f multi.yaml c=b --local -o yaml',
    'set image -f multi.yaml *=b --local -o json',
    'set image -f dep.yaml c=nginx:1 --local -o yaml',
    'set image -f dep.yaml nosuch=nginx:1 --local -o yaml',
    'set image -f cm.yaml a=b --local -o yaml',
    'set env -f cm.yaml a=b --local -o yaml',
    'set env -f dep.yaml B=1 --local -o yaml',
    'set env -f dep.yaml A- --local -o yaml',
    'set env -f multi.yaml B=1 --local -o yaml',
    'set env -f dep.yaml --list --local',
    'set resources -f pod.yaml --limits=cpu=1,memory=1Gi --requests=cpu=500m --local -o yaml',
    'set resources -f multi.yaml --limits=cpu=1 --local -o yaml',
    'set selector -f svc.yaml a=b --local -o yaml',
    'set selector -f pod.yaml a=b --local -o yaml',
    'set subject -f rb.yaml --user=x --local -o yaml',
    'set subject -f rb.yaml --user=s --local -o yaml',
    'set subject -f rb.yaml --serviceaccount=a:b --group=g --local -o json',
    'set serviceaccount -f pod.yaml x --local -o yaml',
    'set serviceaccount -f dep.yaml x --local -o yaml',
    'set serviceaccount -f multi.yaml x --local -o yaml',
    'set serviceaccount -f dep.yaml x --dry-run=client -o jsonpath={.spec.template.spec.serviceAccountName}',
    'label -f pod.yaml a=b --local -o yaml',
    'label -f multi.yaml a=b --local -o yaml',
    'annotate -f dep.yaml a=b --local -o yaml',
    'annotate -f svc.yaml a=b --local -o json',
    'patch -f dep.yaml -p {"spec":{"replicas":2}} --local -o yaml',
    'patch -f svc.yaml --type=merge -p {"spec":{"x":2}} --local -o yaml',
    'create -f pod.yaml --dry-run=client -o yaml',
    'create -f multi.yaml --dry-run=client -o yaml',
    'apply -f multi.yaml --dry-run=client -o yaml',
    'apply -f svc.yaml --dry-run=client -o json',
    'autoscale -f dep.yaml --max=3 --dry-run=client -o yaml',
    'expose -f dep.yaml --port=80 --dry-run=client -o yaml',
    'expose -f svc.yaml --name=t --port=80 --dry-run=client -o yaml',
    'taint node node-1 a=b:NoSchedule --dry-run=client -o jsonpath={.spec.taints}',
    'taint node node-1 a=b:NoSchedule --dry-run=server -o jsonpath={.spec.taints}',
    'annotate -f multi.yaml a=b --local -o yaml',
    'label -f multi.yaml a=b --local -o json',
    'patch -f multi.yaml -p {"metadata":{"labels":{"a":"b"}}} --local -o yaml',
    'expose po nolabels --port=80 --dry-run=client',
    // What is made by flags, as JSON.
    ...GENERATED.map((line) => `create ${line} --dry-run=client -o json`),
    'run p --image=nginx --port=80 --env=A=b --dry-run=client -o json',
    'run p --image=nginx --dry-run=client -o jsonpath={.spec}',
    'expose deploy web --port=80 --dry-run=client -o json',
    'autoscale deploy web --max=3 --dry-run=client -o json',
    // As its type writes it, also where it comes from the server.
    'set env deploy web A=b --dry-run=client -o jsonpath={.spec.template.spec}',
    'set image deploy web web=nginx:2 --dry-run=server -o go-template={{.spec.template.spec}}',
    'set selector svc web a=b --dry-run=client -o json',
  ],
};
