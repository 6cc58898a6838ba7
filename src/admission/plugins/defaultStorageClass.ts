/** DefaultStorageClass: a claim without a class gets the default class. */
import { getOwn } from '../../std/index.ts';
import { status } from '../../schema/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { refuse } from './refuse.ts';
import { classNameOf, isCore, storageClasses, type Claim, type StorageClass } from './storage.ts';

export const defaultStorageClass: PluginDeclaration = {
  name: 'DefaultStorageClass',
  on: true,
  create: (deps) => ({
    name: 'DefaultStorageClass',
    handles: (operation) => operation === 'CREATE',
    admit: (attributes) => choose(attributes, deps),
  }),
};

function choose(attributes: AdmissionAttributes, deps: PluginDeps): void {
  if (!isCore(attributes, 'persistentvolumeclaims')) return;
  const claim = attributes.object as Claim;
  if (classNameOf(claim, deps.names) !== undefined) return;
  const marked = defaults(deps);
  if (marked.length > 1)
    throw refuse(attributes, status.internalError(`${marked.length} default StorageClasses were found`).message);
  const name = marked[0]?.metadata?.name;
  if (name !== undefined) claim.spec = { ...claim.spec, storageClassName: name };
}

function defaults({ list, names }: PluginDeps): readonly StorageClass[] {
  const marks = ['storageclass.{label}/is-default-class', 'storageclass.beta.{label}/is-default-class'].map(names.fill);
  const all = list(storageClasses(names), '') as readonly StorageClass[];
  return all.filter((c) => marks.some((mark) => getOwn(c.metadata?.annotations, mark) === 'true'));
}
