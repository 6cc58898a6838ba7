/** Commands that bring objects from files into the cluster, change them by files, or take them out. */
import type { Family } from '../family.ts';

const settings = `apiVersion: v1
kind: ConfigMap
metadata:
  name: colours
  labels:
    app: paint
data:
  red: warm
  blue: cold
`;

const app = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: paint
spec:
  replicas: 0
  selector:
    matchLabels:
      app: paint
  template:
    metadata:
      labels:
        app: paint
    spec:
      containers:
      - name: paint
        image: nginx:1.19
        env:
        - name: COLOUR
          value: red
        - name: SIZE
          value: "1"
      - name: helper
        image: busybox
---
apiVersion: v1
kind: Service
metadata:
  name: paint
spec:
  clusterIP: None
  selector:
    app: paint
  ports:
  - port: 80
`;

export const manifests: Family = {
  name: 'manifests',
  writes: true,
  files: {
    'colours.yaml': settings,
    'colours2.yaml': settings.replace('  blue: cold\n', '  green: fresh\n'),
    'hot.yaml': settings.replace('warm', 'hot'),
    'colours3.yaml': settings.replace('colours', 'colours3'),
    'app.yaml': app,
    'app2.yaml': app
      .replace('        - name: SIZE\n          value: "1"\n', '')
      .replace('      - name: helper\n        image: busybox\n', '')
      .replace('nginx:1.19', 'nginx:1.20'),
    'folder/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {set: folder}}\ndata: {x: "1"}\n',
    'folder/b.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b","labels":{"set":"folder"}}}\n',
    'folder/note.txt': 'not a manifest\n',
    'folder/deep/c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, labels: {set: folder}}\n',
    'list.yaml':
      'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: l1}\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: l2}\n',
    'invalid.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: Invalid_Name}\nspec: {ports: [{port: 99999}]}\n',
    'unknown.yaml': 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n',
    'nokind.yaml': 'apiVersion: v1\nmetadata: {name: w}\n',
    'noversion.yaml': 'kind: ConfigMap\nmetadata: {name: w}\n',
    'noname.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n',
    'broken.yaml': 'a: b: c\n',
    'empty.yaml': '\n---\n# nothing\n',
    'shop.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: tools, namespace: shop}\n',
    'typo.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: t, lables: {a: b}}\ndta: {}\n',
    'wrongtype.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: t}\ndata: {a: 1, b: true}\n',
    'missing.yaml':
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: t}\nspec: {template: {spec: {containers: [{image: x}]}}}\n',
    'pod.yaml':
      'apiVersion: v1\nkind: Pod\nmetadata: {name: brush}\nspec: {nodeName: node-1, containers: [{name: main, image: nginx}]}\n',
    'pod2.yaml':
      'apiVersion: v1\nkind: Pod\nmetadata: {name: brush}\nspec: {nodeName: node-1, containers: [{name: other, image: nginx}]}\n',
    'generate.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: many-}\n',
  },
  steps: [
    'create -f colours.yaml',
    'create -f colours.yaml',
    'create -f nosuch.yaml',
    'create -f unknown.yaml',
    'create -f nokind.yaml',
    'create -f noversion.yaml',
    'create -f noname.yaml',
    'create -f broken.yaml',
    'create -f empty.yaml',
    'create -f invalid.yaml',
    'create -f typo.yaml',
    'create -f wrongtype.yaml',
    'create -f missing.yaml',
    'create -f typo.yaml --validate=false --dry-run=server',
    'create -f generate.yaml',
    'create -f shop.yaml -n default',
    'create -f shop.yaml',
    'create -f list.yaml',
    'create -f list.yaml -o name',
    'create -f colours3.yaml --dry-run=client',
    'create -f colours3.yaml --dry-run=server',
    'create -f colours3.yaml --dry-run=client -o yaml',
    'create -f colours3.yaml --dry-run=maybe',
    'create -f colours3.yaml --save-config -o json',
    { line: 'create -f - -o name', input: settings.replace('colours', 'piped') },
    { line: 'create -f -', input: '' },
    'create -f folder --dry-run=client',
    'create -f folder -R --dry-run=client',
    'create -f colours.yaml -f shop.yaml --dry-run=server',
    'apply -f colours.yaml',
    'apply -f colours.yaml',
    'get cm colours -o jsonpath={.data}{.metadata.annotations}',
    'apply -f colours2.yaml',
    'get cm colours -o jsonpath={.data}{.metadata.annotations}',
    'apply -f colours2.yaml --dry-run=client',
    'apply -f colours.yaml --dry-run=server',
    'apply -f colours.yaml --dry-run=client -o jsonpath={.data}',
    'apply -f app.yaml',
    'apply -f app.yaml',
    'apply -f app2.yaml',
    'get deploy paint -o jsonpath={.spec.template.spec.containers}',
    'apply -f app.yaml -o name',
    'get deploy paint -o jsonpath={.spec.template.spec.containers[*].name}',
    'apply view-last-applied cm/colours',
    'apply view-last-applied cm colours -o json',
    'apply view-last-applied svc web',
    'apply set-last-applied -f colours.yaml',
    'apply set-last-applied -f pod.yaml',
    'apply set-last-applied -f folder/a.yaml --create-annotation',
    'apply',
    'apply -f nosuch.yaml',
    'apply -f invalid.yaml',
    'apply -f empty.yaml',
    'apply -f noname.yaml',
    'apply -f unknown.yaml',
    'apply -f colours.yaml -f list.yaml',
    'apply -f folder',
    'apply -f folder -R --prune -l set=folder',
    'create cm handmade',
    'label cm handmade set=folder',
    'apply -f folder/a.yaml --prune -l set=folder',
    'apply -f folder/a.yaml --prune',
    'apply -f folder/a.yaml -l nothing=here',
    'apply -f colours.yaml --server-side',
    'apply -f colours.yaml --server-side --force-conflicts',
    'apply -f colours.yaml --server-side --field-manager=robot',
    'apply -f colours2.yaml --server-side --field-manager=robot',
    'apply -f hot.yaml --server-side --field-manager=painter',
    'apply -f hot.yaml --server-side --field-manager=painter --dry-run=server --force-conflicts -o name',
    'apply -f colours3.yaml --server-side --dry-run=server',
    'apply -f colours3.yaml --server-side --dry-run=client',
    'apply -f colours3.yaml --force-conflicts',
    'apply -f colours3.yaml --field-manager=robot',
    'apply -f colours.yaml --force --dry-run=server',
    'diff -f colours.yaml',
    'diff -f generate.yaml',
    'diff -f folder/deep/c.yaml',
    'diff -f nosuch.yaml',
    'replace -f colours2.yaml',
    'replace -f nosuch.yaml',
    'replace -f shop.yaml --dry-run=client',
    'replace -f folder/deep/c.yaml -n shop',
    'replace',
    'replace -f colours.yaml -o name --dry-run=server',
    'create -f pod.yaml',
    'replace -f pod2.yaml',
    'apply -f pod2.yaml',
    'replace --force -f pod2.yaml',
    'replace --grace-period=1 -f pod2.yaml',
    'replace --force --grace-period=-3 -f pod2.yaml',
    'delete -f pod2.yaml --now',
    'delete -f pod2.yaml',
    'delete -f pod2.yaml --ignore-not-found',
    'delete -f folder -R',
    'delete cm colours piped --dry-run=client',
    'delete cm colours piped --dry-run=server',
    'delete cm colours piped',
    'delete cm colours nosuch',
    'delete cm colours --ignore-not-found',
    'delete cm/l1 svc/paint',
    'delete cm/l2 deploy/paint -o name',
    'delete cm -l app=paint',
    'delete cm -l app=none',
    'delete cm -l app=none -A',
    'delete cm',
    'delete',
    'delete nosuch x',
    'delete cm x --all',
    'delete cm x -l a=b',
    'delete cm --all -l a=b',
    'delete pods web-1 --grace-period=0',
    'delete pods web-10 --grace-period=0 --force',
    'delete pods web-2 --force --wait=false',
    'delete pods web-2 --now --grace-period=3',
    'delete cm x --cascade=sideways',
    'delete deploy web --cascade=orphan',
    'delete cm x --output=yaml',
    'delete ns shop',
    'delete ns shop --ignore-not-found',
    'delete cm --all -n kube-public',
    'delete role,cj --all --cascade=foreground',
    'delete secret password --cascade=false',
    'get all,cm',
  ],
};
