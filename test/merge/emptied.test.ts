/** What a client sends empty inside of a list that is one value counts as a change of that list. */
import { describe, expect, it } from 'vitest';
import { emptiedLists } from '../../src/merge/apply/emptied.ts';
import { encodeFields } from '../../src/merge/apply/fieldsV1.ts';
import { typeOf } from '../../src/merge/apply/types.ts';
import { namesOf } from '../../src/names/index.ts';
import { createScheme, kinds } from '../../src/schema/index.ts';
import { must } from '../../src/std/index.ts';

const scheme = createScheme(namesOf('cluster.io'), kinds);

function emptied(apiVersion: string, kind: string, sent: object): object {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const { node } = must(scheme.byKind({ group, version, kind }), 'the kind is known');
  return encodeFields(emptiedLists(sent, typeOf(node)));
}

const RBAC = 'rbac.authorization.cluster.io/v1';
const rule = { verbs: ['get'], resources: ['pods'] };

describe('the fields that count as changed', () => {
  it.each<[string, string, string, object, object]>([
    ['nothing is empty', RBAC, 'Role', { rules: [rule] }, {}],
    ['an empty list in an item', RBAC, 'Role', { rules: [rule, { ...rule, resourceNames: [] }] }, { 'f:rules': {} }],
    ['the list itself is empty', RBAC, 'Role', { rules: [] }, {}],
    ['an empty map of labels', 'v1', 'ConfigMap', { metadata: { labels: {} }, data: {} }, {}],
    [
      'a list below an atomic selector',
      'apps/v1',
      'ReplicaSet',
      { spec: { selector: { matchExpressions: [{ key: 'a', operator: 'Exists', values: [] }] } } },
      { 'f:spec': { 'f:selector': {} } },
    ],
    ['an empty map in an atomic selector', 'apps/v1', 'ReplicaSet', { spec: { selector: { matchLabels: {} } } }, {}],
    [
      'a list in an item that is known by its name',
      'v1',
      'Pod',
      {
        spec: {
          ...{ containers: [{ name: 'c', command: [] }] },
          ...{ volumes: [{ name: 'v', projected: { sources: [{ configMap: { items: [] } }] } }] },
        },
      },
      { 'f:spec': { 'f:volumes': { 'k:{"name":"v"}': { 'f:projected': { 'f:sources': {} } } } } },
    ],
    [
      'an empty object in a field that is not declared',
      'v1',
      'Pod',
      {
        spec: { nonsense: { a: [] }, volumes: [{ name: 'v', projected: { nonsense: {}, sources: [{ other: {} }] } }] },
      },
      {},
    ],
    [
      'a list in an item without its name, which counts as empty',
      'v1',
      'Pod',
      { spec: { volumes: [{ projected: { sources: [{ configMap: { items: [] } }] } }] } },
      { 'f:spec': { 'f:volumes': { 'k:{"name":""}': { 'f:projected': { 'f:sources': {} } } } } },
    ],
    [
      'an empty map in an item of an atomic list',
      'v1',
      'Pod',
      {
        spec: {
          topologySpreadConstraints: [{ topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} }],
          affinity: {
            podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: {} } }] },
          },
        },
      },
      {
        'f:spec': { 'f:affinity': { 'f:podAffinity': { 'f:requiredDuringSchedulingIgnoredDuringExecution': {} } } },
      },
    ],
    [
      'a map with content in an item of an atomic list',
      'v1',
      'Pod',
      {
        spec: {
          affinity: {
            podAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: { a: 'b' } } }],
            },
          },
        },
      },
      {},
    ],
    ['a value instead of an object', 'v1', 'Pod', { spec: 7, metadata: null }, {}],
    // Nothing is defaulted or checked yet.
    ['items that are the same', 'v1', 'Service', { spec: { ports: [{ port: 1 }, { port: 1 }] } }, {}],
    [
      'a struct is never empty',
      'networking.cluster.io/v1',
      'NetworkPolicy',
      { spec: { ingress: [{ from: [{ podSelector: {} }] }] } },
      {},
    ],
    [
      'a struct without fields is never empty, either',
      'apiextensions.cluster.io/v1',
      'CustomResourceDefinition',
      { spec: { versions: [{ name: 'v1', subresources: { status: {} } }] } },
      {},
    ],
  ])('%s', (_what, apiVersion, kind, sent, fields) => {
    expect(emptied(apiVersion, kind, sent)).toEqual(fields);
  });
});
