/** OwnerReferencesPermissionEnforcement: who may say what belongs to what. */
import { describe, expect, it } from 'vitest';
import { pluginIn, request, verdictOf, type Raw } from './helpers.ts';

const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'u', controller: true };
const blocking = { ...owner, blockOwnerDeletion: true };
const owned = (...ownerReferences: readonly Raw[]): Raw => ({
  metadata: { name: 'm', resourceVersion: '1', ownerReferences },
});

const CANNOT_DELETE = `403 configmaps "m" is forbidden: cannot set an ownerRef on a resource you can't delete: because, <nil>`;
const CANNOT_BLOCK = `403 configmaps "m" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: because, <nil>`;

describe('OwnerReferencesPermissionEnforcement', () => {
  it.each<[string, string, Raw, Raw | undefined, readonly string[], string]>([
    ['no owners', 'CREATE', owned(), undefined, [], 'allowed'],
    ['owners at creation', 'CREATE', owned(owner), undefined, [], 'allowed'],
    ['a blocking owner at creation', 'CREATE', owned(blocking), undefined, [], CANNOT_BLOCK],
    [
      'a blocking owner, allowed',
      'CREATE',
      owned(blocking),
      undefined,
      ['update replicasets.apps/finalizers ns r'],
      'allowed',
    ],
    [
      'a blocking owner of no namespace',
      'CREATE',
      owned({ ...blocking, apiVersion: 'v1', kind: 'Node' }),
      undefined,
      ['update nodes./finalizers  r'],
      'allowed',
    ],
    [
      'a blocking owner of an unknown kind',
      'CREATE',
      owned({ ...blocking, kind: 'Thing' }),
      undefined,
      [],
      '403 configmaps "m" is forbidden: cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion apps/v1 Kind Thing: no matches for kind "Thing" in version "apps/v1"',
    ],
    ['a new owner later', 'UPDATE', owned(owner), owned(), [], CANNOT_DELETE],
    ['a new owner later, allowed', 'UPDATE', owned(owner), owned(), ['delete configmaps. ns m'], 'allowed'],
    ['an owner taken away', 'UPDATE', owned(), owned(owner), [], CANNOT_DELETE],
    ['owners as they were', 'UPDATE', owned(blocking), owned(blocking), [], 'allowed'],
    [
      'an owner that begins to block',
      'UPDATE',
      owned(blocking),
      owned(owner),
      ['delete configmaps. ns m'],
      CANNOT_BLOCK,
    ],
    ['an owner that stops blocking', 'UPDATE', owned(owner), owned(blocking), ['delete configmaps. ns m'], 'allowed'],
  ])('%s', async (_what, operation, object, old, allowed, expected) => {
    const plugin = pluginIn('OwnerReferencesPermissionEnforcement', {
      allow: ({ verb, group, resource, subresource, namespace, name }) =>
        allowed.includes(
          `${verb} ${resource}.${group}${subresource === '' ? '' : `/${subresource}`} ${namespace} ${name}`,
        ),
    });
    const attributes = request(`${operation} configmaps`, { object, ...(old ? { old } : {}) });
    expect(await verdictOf(plugin, attributes)).toBe(expected);
  });

  it('ignores a pod’s status', async () => {
    const plugin = pluginIn('OwnerReferencesPermissionEnforcement', { allow: () => false });
    expect(await verdictOf(plugin, request('UPDATE pods/status', { object: owned(owner), old: owned() }))).toBe(
      'allowed',
    );
  });
});
