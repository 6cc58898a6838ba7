/** Builds of folders: what `kustomize` prints, and `-k`. */
import type { Family } from '../family.ts';

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {tier: front}}
spec:
  selector: {matchLabels: {tier: front}}
  template:
    metadata: {labels: {tier: front}}
    spec:
      serviceAccountName: robot
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - {topologyKey: zone, labelSelector: {matchLabels: {tier: front}}}
      volumes:
      - {name: c, configMap: {name: settings}}
      - {name: s, secret: {secretName: pass}}
      - {name: p, projected: {sources: [{configMap: {name: settings}}, {secret: {name: pass}}]}}
      - {name: d, persistentVolumeClaim: {claimName: data}}
      initContainers:
      - {name: init, image: "busybox:1", envFrom: [{secretRef: {name: pass}}]}
      containers:
      - name: web
        image: nginx:1.19
        ports: [{containerPort: 80}]
        envFrom: [{configMapRef: {name: envs}}]
        env: [{name: P, valueFrom: {secretKeyRef: {name: pass, key: password}}}, {name: Q, value: "1"}]
        volumeMounts: [{name: c, mountPath: /c}]
      - {name: side, image: "reg.io:5000/a/b@sha256:abc"}
`;

const others = `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {tier: front}, ports: [{port: 80, name: http}]}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: robot}
imagePullSecrets: [{name: pass}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader}
rules: [{apiGroups: [""], resources: [secrets], resourceNames: [pass, other], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: reads}
subjects:
- {kind: ServiceAccount, name: robot}
- {kind: ServiceAccount, name: default}
- {kind: ServiceAccount, name: stranger}
- {kind: User, name: jane, apiGroup: rbac.authorization.k8s.io}
roleRef: {kind: Role, name: reader, apiGroup: rbac.authorization.k8s.io}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: admins}
subjects: [{kind: ServiceAccount, name: robot, namespace: default}]
roleRef: {kind: ClusterRole, name: view, apiGroup: rbac.authorization.k8s.io}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {maxReplicas: 3, scaleTargetRef: {kind: Deployment, name: web, apiVersion: apps/v1}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web}
spec: {podSelector: {matchLabels: {tier: front}}, ingress: [{from: [{podSelector: {matchLabels: {tier: back}}}, {podSelector: {}}]}]}
---
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 1, selector: {matchLabels: {tier: front}}}
---
apiVersion: networking.k8s.io/v1beta1
kind: Ingress
metadata: {name: web, annotations: {nginx.ingress.kubernetes.io/auth-secret: pass}}
spec: {tls: [{secretName: pass}], backend: {serviceName: web, servicePort: 80}, rules: [{http: {paths: [{path: /, backend: {serviceName: web, servicePort: 80}}]}}]}
---
apiVersion: batch/v1beta1
kind: CronJob
metadata: {name: nightly}
spec: {schedule: "0 3 * * *", jobTemplate: {spec: {template: {spec: {serviceAccountName: robot, restartPolicy: Never, containers: [{name: c, image: busybox, envFrom: [{configMapRef: {name: envs}}]}]}}}}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec: {serviceName: web, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: {containers: [{name: db, image: redis}]}}, volumeClaimTemplates: [{metadata: {name: d}, spec: {accessModes: [ReadWriteOnce]}}]}
---
apiVersion: example.com/v1
kind: Thing
metadata: {name: t}
spec: {list: [{name: a, x: 1}, {name: b, x: 2}], containers: [{image: redis}]}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec: {group: example.com}
`;

const words = `apiVersion: v1
kind: ConfigMap
metadata: {name: words, labels: {on: yes, plain: text}, annotations: {mode: 0644, date: 2020-01-01, n: ~}}
data: {a: "yes", b: 'no', c: on, "on": x, d: 0x10, e: 1e3, f: .5}
---
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: z}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: w}}
---
`;

const patch = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {patched: "true"}}
spec:
  replicas: 3
  template:
    spec:
      serviceAccountName: null
      volumes: [{name: s, $patch: delete}, {name: e, emptyDir: {}}]
      containers:
      - {name: side, $patch: delete}
      - {name: fresh, image: "fresh:1"}
      - {name: web, env: [{name: R, value: "2"}], args: [a, b]}
---
apiVersion: example.com/v1
kind: Thing
metadata: {name: t}
spec: {list: [{name: c}]}
`;

const wrong: Readonly<Record<string, string>> = {
  'none.yaml': 'resources: [none.yaml]',
  twice: 'resources: [one.yaml, one.yaml]',
  'no-base': 'bases: [none]',
  'absolute-base': 'bases: [/abs]',
  folder: 'resources: [../base]',
  outside: 'resources: [../base/others.yaml]',
  type: 'resources: {a: b}',
  open: 'a: [',
  identity: 'apiVersion: v1\nkind: X',
  merges: 'configMapGenerator: [{name: a, behavior: merge}]',
  exists: 'bases: [../base]\nconfigMapGenerator: [{name: settings, literals: [a=b]}]',
  literal: 'configMapGenerator: [{name: a, literals: [noequals]}]',
  file: 'configMapGenerator: [{name: a, files: [nofile]}]',
  pair: 'configMapGenerator: [{name: a, files: [a=b=c]}]',
  env: 'configMapGenerator: [{name: a, env: nofile}]',
  variable: 'configMapGenerator: [{name: a, env: bad.env}]',
  key: 'configMapGenerator: [{name: a, literals: [k=v, k=w]}]',
  field: 'replicas: [{name: web, count: 2}]',
  deep: 'secretGenerator: [{name: a, commands: {a: b}}]',
  number: 'commonLabels: {a: 1}',
  patch: 'resources: [words.yaml]\npatchesStrategicMerge: [nofile]',
  target: 'resources: [words.yaml]\npatchesStrategicMerge: [thing.yaml]',
  json: 'resources: [words.yaml]\npatchesJson6902: [{target: {version: v1, kind: ConfigMap, name: none}, path: j.yaml}]',
  'json-path': 'resources: [words.yaml]\npatchesJson6902: [{target: {version: v1, kind: ConfigMap, name: words}}]',
  'json-file':
    'resources: [words.yaml]\npatchesJson6902: [{target: {version: v1, kind: ConfigMap, name: words}, path: no}]',
  'json-form':
    'resources: [words.yaml]\npatchesJson6902: [{target: {version: v1, kind: ConfigMap, name: words}, path: thing.yaml}]',
  bad: 'resources: [bad.yaml]',
  nameless: 'resources: [nameless.yaml]',
  broken: 'resources: [broken.yaml]',
  cycle: 'bases: [../wrong-cycle]',
  items: 'resources: [item.yaml]',
  list: '[]',
  text: 'abc',
  empty: '',
};

/** Fields that are there without a value: they hold what their type holds before anything is set. */
const unset: Readonly<Record<string, string>> = {
  texts: 'resources: [words.yaml]\nnamePrefix:\nnameSuffix:\nnamespace:\napiVersion:\nkind:',
  empty: 'resources: [words.yaml]\nnamePrefix: ""\nnamespace: ""\napiVersion: ""\nkind: ""',
  lists: 'resources:\nbases:\nimages:\npatchesStrategicMerge:\npatchesJson6902:\nconfigMapGenerator:\nvars:\ncrds:',
  renamed: 'resources: [words.yaml]\nimageTags:\npatches:',
  whole: 'null',
  image: 'resources: [words.yaml]\nimages: [null]',
  'image-fields': 'resources: [words.yaml]\nimages: [{name: nginx, newName: null, newTag: null, digest: null}]',
  json: 'resources: [words.yaml]\npatchesJson6902: [null]',
  'json-target': 'resources: [words.yaml]\npatchesJson6902: [{target: null, path: j.yaml}]',
  'json-path': 'resources: [words.yaml]\npatchesJson6902: [{target: {kind: ConfigMap, name: null}, path: null}]',
  labels: 'resources: [one.yaml]\ncommonLabels: {a: null, b: x}\ncommonAnnotations: {c: null}',
  resource: 'resources: [one.yaml, null]',
  base: 'bases: [null]',
  patch: 'resources: [one.yaml]\npatchesStrategicMerge: [null]',
  generators: 'configMapGenerator: [null]\nsecretGenerator: [null]',
  generator: 'configMapGenerator: [{name: null, literals: [a=b], files: null, env: null, behavior: null}]',
  literal: 'configMapGenerator: [{name: a, literals: [null]}]',
  file: 'configMapGenerator: [{name: a, files: [null]}]',
  options:
    'configMapGenerator: [{name: a}]\ngeneratorOptions: {labels: {x: null}, annotations: null, disableNameSuffixHash: null}',
};

const beside: Readonly<Record<string, string>> = {
  'one.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: one}\n',
  ...{ 'words.yaml': words, 'thing.yaml': 'apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: none}\n' },
  ...{
    'j.yaml': '- {op: add, path: /data, value: {}}',
    'bad.yaml': 'a: b\n',
    'nameless.yaml': 'kind: b\napiVersion: v1\n',
  },
  ...{
    'broken.yaml': 'kind: [\n',
    'item.yaml': 'kind: List\napiVersion: v1\nitems: [{kind: X, metadata: {name: y}}]\n',
    'bad.env': 'export D=2\n',
  },
};

/** A folder for each text, with the same files beside it. */
const foldersOf = (prefix: string, texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => [
      [`${prefix}-${name}/kustomization.yaml`, `${text}\n`],
      ...Object.entries(beside).map(([file, content]) => [`${prefix}-${name}/${file}`, content]),
    ]),
  );

export const builds: Family = {
  name: 'builds',
  files: {
    'base/kustomization.yaml': `resources: [deployment.yaml, others.yaml]
commonLabels: {app: shop}
configMapGenerator:
- {name: settings, literals: [a=1, 'b="two words"', "c=<a>&"], files: [x.properties, other=x.properties]}
- {name: envs, env: x.env}
secretGenerator:
- {name: pass, literals: [password=hunter2], type: Opaque}
`,
    'base/deployment.yaml': deployment,
    'base/others.yaml': others,
    'base/x.properties': 'k=v\nl=w\n',
    'base/x.env': '# a comment\nA=1\n B=x=y \n\nEMPTY=\n',
    'dev/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
bases: [../base]
namePrefix: dev-
nameSuffix: -x
namespace: shop
commonLabels: {env: dev}
commonAnnotations: {note: hi}
images:
- {name: nginx, newName: my/nginx, newTag: "2"}
- {name: "reg.io:5000/a/b", digest: "sha256:def"}
- {name: busybox, newTag: "9"}
patchesStrategicMerge: [patch.yaml]
patchesJson6902:
- {target: {group: apps, version: v1, kind: Deployment, name: web}, path: j.yaml}
- {target: {version: v1, kind: Service, name: web}, path: j.json}
configMapGenerator:
- {name: settings, behavior: merge, literals: [c=3, d=4]}
- {name: envs, behavior: replace, literals: [only=this]}
`,
    'dev/patch.yaml': patch,
    'dev/j.yaml': '- {op: add, path: /spec/minReadySeconds, value: 3}\n- {op: remove, path: /metadata/labels/tier}\n',
    'dev/j.json': '[{"op": "replace", "path": "/spec/ports/0/port", "value": 8080}]',
    'top/kustomization.yml': 'bases: [../dev]\nnamePrefix: top-\nimageTags: [{name: redis, newTag: "6"}]\n',
    'words/Kustomization': 'resources: [words.yaml]\n',
    'words/words.yaml': words,
    'options/kustomization.yaml': `generatorOptions: {disableNameSuffixHash: true, labels: {x: "1"}, annotations: {z: "2"}}
configMapGenerator:
- {name: a, literals: ["a=1\\n", 'b="q"', c=]}
- {name: none}
secretGenerator:
- {name: s, type: kubernetes.io/tls, literals: [tls.crt=x]}
`,
    'hashes/kustomization.yaml':
      'configMapGenerator: [{name: none}, {name: one, literals: [a=b]}]\nsecretGenerator: [{name: none}, {name: one, literals: [a=b], namespace: there}]\n',
    'two/kustomization.yaml': 'resources: [a.yaml, b.yaml]\nnamespace: z\n',
    'two/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: x}\n',
    'two/b.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: x}\n',
    'delete/kustomization.yaml': 'resources: [a.yaml]\npatchesStrategicMerge: [p.yaml]\n',
    'delete/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
    'delete/p.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n$patch: delete\n',
    'both/kustomization.yaml': 'namePrefix: a-\n',
    'both/kustomization.yml': 'namePrefix: b-\n',
    'web.yaml':
      'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: password}\n',
    'small/kustomization.yaml': 'namePrefix: my-\nresources: [cm.yaml]\n',
    'small/cm.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings2}\ndata: {on: "1"}\n',
    'again/kustomization.yaml': 'bases: [../small, ../small]\n',
    'nothing/kustomization.yaml': '{}\n',
    'nothing-again/kustomization.yaml': 'bases: [../nothing, ../nothing]\nresources: [cm.yaml]\n',
    'nothing-again/cm.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: only}\n',
    ...{ ...foldersOf('wrong', wrong), ...foldersOf('unset', unset) },
  },
  steps: [
    ...['base', 'dev', 'top', 'words', 'options', 'hashes', 'two', 'delete', 'both', './small/', 'base/../small'],
    ...['none', 'base/x.env', '', 'a b', ...Object.keys(wrong).map((name) => `wrong-${name}`)],
    ...['again', 'nothing-again', ...Object.keys(unset).map((name) => `unset-${name}`)],
  ]
    .map((path) => `kustomize ${path}`.trim())
    .concat([
      'apply -k small --dry-run=client',
      'apply -k small --dry-run=server -o yaml',
      'apply -k none',
      'apply -k small -f small/cm.yaml',
      'apply -k small -R',
      'create -k small --dry-run=client -o name',
      'get -k small',
      'get -k small pods',
      'delete -k small',
      'diff -k small',
      'describe -k small',
      'describe -f small/cm.yaml',
      'describe -f web.yaml',
      'describe -f web.yaml pods',
      'label -k small a=b',
      'edit -k none',
    ]),
};
