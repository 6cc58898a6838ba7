/** Strategic merge patches in folders: what `kustomize` makes of directives and lists, for kinds that the client knows and for others. */
import type { Family } from '../family.ts';

/** An object of a kind, in YAML; a patch names it the same. */
const object =
  (apiVersion: string, kind: string) =>
  (...fields: readonly string[]): string =>
    [`apiVersion: ${apiVersion}`, `kind: ${kind}`, ...fields, ''].join('\n');

const deployment = object('apps/v1', 'Deployment');
const service = object('v1', 'Service');
const configMap = object('v1', 'ConfigMap');

const withMeta = (fields: string): string => `metadata: {name: web, ${fields}}`;
const bare = 'metadata: {name: web}';
const withSpec = (spec: string): string => `${bare}\nspec: ${spec}`;
const podSpec = (spec: string): string => deployment(withSpec(`{template: {spec: ${spec}}}`));

const containers = '{containers: [{name: a, image: x}, {name: b, image: z}]}';
const order = '{$setElementOrder/containers: [{name: b}, {name: a}]}';
const replaced = '{containers: [{$patch: replace}, {name: b}]}';
const finalizers = withMeta('finalizers: [a, b]');
const without = withMeta('$deleteFromPrimitiveList/finalizers: [a]');
const added = withMeta('finalizers: [c]');

/** The kinds of other servers, of a group that only sounds like one of its own, and of what the server defines but the client doesn't know. */
const others = {
  thing: object('example.com/v1', 'Thing'),
  stranger: object('foo.k8s.io/v1', 'Thing'),
  definition: object('apiextensions.k8s.io/v1', 'CustomResourceDefinition'),
  service: object('apiregistration.k8s.io/v1', 'APIService'),
  version: object('apps/v1', 'CronJob'),
  moved: object('extensions/v1beta1', 'StatefulSet'),
};

/** Versions that no server here has, and that the client knows. */
const former = {
  'apps-1': object('apps/v1beta1', 'StatefulSet'),
  'apps-2': object('apps/v1beta2', 'DaemonSet'),
  'extensions-deployment': object('extensions/v1beta1', 'Deployment'),
  'extensions-ingress': object('extensions/v1beta1', 'Ingress'),
  'extensions-policy': object('extensions/v1beta1', 'NetworkPolicy'),
  'extensions-security': object('extensions/v1beta1', 'PodSecurityPolicy'),
  off: object('batch/v2alpha1', 'CronJob'),
  role: object('rbac.authorization.k8s.io/v1alpha1', 'Role'),
};

/** What the folder has, and its patch. */
type Rows = Readonly<Record<string, readonly [string, string]>>;

const scalars: Rows = {
  remove: [deployment(finalizers), deployment(without)],
  'remove-where-none': [podSpec('{}'), deployment(without)],
  'remove-null': [deployment(finalizers), deployment(withMeta('$deleteFromPrimitiveList/finalizers: null'))],
  'remove-arguments': [
    podSpec('{containers: [{name: a, args: [x, w]}]}'),
    podSpec('{containers: [{name: a, $deleteFromPrimitiveList/args: [x]}]}'),
  ],
  'remove-form': [deployment(finalizers), deployment(withMeta('$deleteFromPrimitiveListfinalizers: [a]'))],
  'order-scalars': [deployment(finalizers), deployment(withMeta('$setElementOrder/finalizers: [b, a]'))],
  'order-remove-add': [
    deployment(finalizers),
    deployment(
      withMeta('$setElementOrder/finalizers: [c, b], finalizers: [c], $deleteFromPrimitiveList/finalizers: [a]'),
    ),
  ],
};

const orders: Rows = {
  order: [podSpec(containers), podSpec(order)],
  'order-new': [
    podSpec(containers),
    podSpec('{$setElementOrder/containers: [{name: b}, {name: c}, {name: a}], containers: [{name: c}]}'),
  ],
  'order-below': [
    podSpec('{containers: [{name: a, env: [{name: E}, {name: F, value: x}]}]}'),
    podSpec('{containers: [{name: a, $setElementOrder/env: [{name: F}], env: [{name: E, $patch: delete}]}]}'),
  ],
  'order-where-none': [podSpec('{}'), podSpec(order)],
  'order-where-nothing': [deployment(bare), podSpec(order)],
  'order-other': [
    podSpec(containers),
    podSpec(
      '{$setElementOrder/containers: [{name: a}], containers: [{name: b, $patch: delete}, {name: c, stdin: true, command: ~}]}',
    ),
  ],
  'order-form': [podSpec(containers), podSpec('{$setElementOrdercontainers: [{name: b}]}')],
  'order-text': [podSpec(containers), podSpec('{$setElementOrder/containers: b}')],
  'order-number': [podSpec(containers), podSpec('{$setElementOrder/containers: 5}')],
  'order-null': [podSpec(containers), podSpec('{$setElementOrder/containers: ~}')],
  'order-live': [podSpec('{containers: true}'), podSpec(order)],
  'order-keyless': [podSpec(containers), podSpec('{$setElementOrder/containers: [{image: b}]}')],
  'order-unknown': [podSpec(containers), podSpec('{$setElementOrder/nothing: [{name: b}]}')],
};

const items: Rows = {
  replace: [podSpec(containers), podSpec(replaced)],
  'replace-all': [podSpec(containers), podSpec('{containers: [{$patch: replace}]}')],
  'replace-ports': [service(withSpec('{ports: [{port: 80}]}')), service(withSpec('{ports: [{$patch: replace}]}'))],
  'replace-where-none': [podSpec('{}'), podSpec(replaced)],
  'replace-plain': [podSpec('{tolerations: [{key: a}]}'), podSpec('{tolerations: [{$patch: replace}, {key: b}]}')],
  'delete-items': [podSpec(containers), podSpec('{containers: [{$patch: delete, name: a}, {name: c}]}')],
  'delete-port': [
    service(withSpec('{ports: [{port: 80, name: a}, {port: 81, name: b}]}')),
    service(withSpec('{ports: [{port: 81, $patch: delete}]}')),
  ],
  'delete-keyless': [podSpec(containers), podSpec('{containers: [{$patch: delete, image: x}]}')],
  'merge-item': [podSpec(containers), podSpec('{containers: [{$patch: merge, name: b}]}')],
  'unknown-item': [podSpec(containers), podSpec('{containers: [{$patch: what, name: b}]}')],
  'unknown-number': [podSpec(containers), podSpec('{containers: [{$patch: 5, name: b}]}')],
  keyless: [podSpec(containers), podSpec('{containers: [{image: x}]}')],
  'keyless-live': [podSpec('{containers: [{image: x}]}'), podSpec('{containers: [{name: x}]}')],
  mixed: [podSpec(containers), podSpec('{containers: [{name: a}, text]}')],
  scalars: [podSpec('{containers: [a]}'), podSpec('{containers: [b]}')],
  'unknown-list': [podSpec('{nothing: [a]}'), podSpec('{nothing: [b]}')],
  conditions: [
    deployment(bare, 'status: {conditions: [{type: A}, {type: B, status: x}]}'),
    deployment(bare, 'status: {conditions: [{type: B, status: w}]}'),
  ],
};

const objects: Rows = {
  'replace-object': [podSpec(containers), podSpec('{$patch: replace, hostname: h}')],
  'delete-object': [podSpec(containers), podSpec('{$patch: delete}')],
  'merge-object': [podSpec(containers), podSpec('{$patch: merge, containers: [{name: a, image: k}]}')],
  'replace-root': [configMap(bare, 'data: {a: b}'), configMap(bare, 'data: {c: d}', '$patch: replace')],
  'replace-map': [configMap(bare, 'data: {a: b}'), configMap(bare, 'data: {c: d, $patch: replace}')],
  retain: [
    podSpec('{volumes: [{name: a, emptyDir: {}}]}'),
    podSpec('{volumes: [{name: a, hostPath: {path: /x}, $retainKeys: [name, hostPath]}]}'),
  ],
  'retain-other': [podSpec('{hostname: a}'), podSpec('{$retainKeys: [hostname], subdomain: c}')],
  'unknown-object': [podSpec('{nothing: {a: b}}'), podSpec('{nothing: {c: d}}')],
  'object-in-map': [podSpec('{nodeSelector: {a: {b: c}}}'), podSpec('{nodeSelector: {a: {d: e}}}')],
};

const ofOthers: Rows = Object.fromEntries(
  Object.entries(others).flatMap(([name, make]) => [
    [`${name}-remove`, [make(finalizers), make(without)]],
    [`${name}-order`, [make(withSpec(containers)), make(withSpec(order))]],
    [`${name}-replace`, [make(withSpec(containers)), make(withSpec(replaced))]],
    [`${name}-delete`, [make(withSpec(containers)), make(withSpec('{$patch: delete}'))]],
  ]),
);

const ofFormer: Rows = Object.fromEntries(
  Object.entries(former).map(([name, make]) => [`former-${name}`, [make(finalizers), make(added)]]),
);

const rows: Rows = { ...scalars, ...orders, ...items, ...objects, ...ofOthers, ...ofFormer };

export const patches: Family = {
  name: 'patches',
  files: Object.fromEntries(
    Object.entries(rows).flatMap(([name, [live, patch]]) => [
      [`${name}/kustomization.yaml`, 'resources: [live.yaml]\npatchesStrategicMerge: [patch.yaml]\n'],
      [`${name}/live.yaml`, live],
      [`${name}/patch.yaml`, patch],
    ]),
  ),
  steps: Object.keys(rows).map((name) => `kustomize ${name}`),
};
