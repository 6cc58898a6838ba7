/** From a definition to the resources that it adds, one for each version that it serves. */
import type { Names } from '../../names/index.ts';
import { must } from '../../std/index.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '../apiextensions/customResourceDefinition.ts';
import {
  ALL_VERBS,
  type ApiObject,
  type KindDeclaration,
  type ScaleSubresource,
  type Version,
} from '../define/kind.ts';
import { nodeOf } from '../derive/nodes.ts';
import type { CustomResource, Resource, StructNode } from '../derive/scheme.ts';
import { object } from '../meta/object.ts';
import { customColumns } from './columns.ts';
import { Family, type ConvertRemotely } from './family.ts';
import { ownershipOf } from './ownership.ts';
import { customRules } from './rules.ts';
import { markersOf } from './structural.ts';
import { valueValidator } from './values/validator.ts';

/** What resources of a definition have to do with beside it. */
export interface Surroundings {
  /** Converts their objects, where a webhook is to do that. */
  readonly remote?: ConvertRemotely | undefined;
  /** Aborted once the definition has its objects served otherwise. */
  readonly retired?: AbortSignal;
}

/** The resources of a definition (as v1 shows it) under the names that were accepted. */
export function customResources(
  names: Names,
  definition: CustomResourceDefinition,
  { remote, retired }: Surroundings = {},
): readonly Resource[] {
  const family = new Family(names, definition, remote);
  const versions = definition.spec.versions ?? [];
  const made: readonly Resource[] = versions.map((version) =>
    resourceOf({ names, definition, family, all, retired }, version),
  );
  const byVersion = new Map(made.map((resource) => [resource.apiVersion, resource]));
  // Each version knows the others, which are made at the same time.
  function all(): ReadonlyMap<string, Resource> {
    return byVersion;
  }
  return made.filter((_, i) => versions[i]?.served);
}

interface Making {
  readonly names: Names;
  readonly definition: CustomResourceDefinition;
  readonly family: Family;
  readonly all: () => ReadonlyMap<string, Resource>;
  readonly retired: AbortSignal | undefined;
}

function resourceOf(making: Making, version: CustomResourceDefinitionVersion): Resource {
  const { names, definition } = making;
  const { group, scope } = definition.spec;
  const accepted = definition.status.acceptedNames;
  const apiVersion = `${group}/${version.name}`;
  const declaration = declarationOf(making, version);
  const resource: Resource = {
    declaration: declaration as KindDeclaration,
    version: declaration.versions[0] as Version,
    gvr: { group, version: version.name, resource: accepted.plural },
    gvk: { group, version: version.name, kind: accepted.kind },
    apiVersion,
    singular: accepted.singular ?? '',
    listKind: accepted.listKind ?? `${accepted.kind}List`,
    namespaced: scope === 'Namespaced',
    verbs: isTerminating(definition) ? ALL_VERBS.filter((verb) => verb !== 'create') : ALL_VERBS,
    node: objectNode(names),
    prefix: customPrefix(definition),
    status: version.subresources?.status !== undefined,
    scale: scaleOf(version),
    subresources: [],
    custom: customOf(making, version),
    get hub() {
      return resource;
    },
  };
  return resource;
}

/** While a definition waits for its objects to go, no new ones come. */
const isTerminating = ({ status }: CustomResourceDefinition): boolean =>
  (status.conditions ?? []).some((condition) => condition.type === 'Terminating' && condition.status === 'True');

/** Where the objects of a definition are stored. */
export const customPrefix = ({ spec }: CustomResourceDefinition): string =>
  `/registry/${spec.group}/${spec.names.plural}/`;

function customOf(making: Making, { name, schema }: CustomResourceDefinitionVersion): CustomResource {
  const { names, definition, family, all, retired } = making;
  const apiVersion = `${definition.spec.group}/${name}`;
  return {
    definition: definition as ApiObject,
    schema: schema?.openAPIV3Schema,
    preserveUnknownFields: family.preservesUnknown,
    ownership: ownershipOf(names, family.structure(apiVersion), family.preservesUnknown),
    versions: all,
    complete: (object) => family.complete(object),
    completeApplied: (raw) => family.completeApplied(raw),
    settle: (object) => family.settle(object),
    convert: (object) => family.convert(object, apiVersion),
    fromStored: (object) => family.fromStored(object, apiVersion),
    toStored: (object) => family.convert(object, family.storedAs),
    retired,
    remote: family.remote && {
      convert: (objects) => family.convertRemotely(objects, apiVersion),
      convertBare: (objects) => family.convertBare(objects, apiVersion),
      fromStored: (objects) => family.fromStoredRemotely(objects, apiVersion),
      toStored: async (object) =>
        must((await family.convertRemotely([object], family.storedAs))[0], 'what is converted is returned'),
    },
  };
}

function declarationOf(
  { names, definition: { spec, status }, family }: Making,
  version: CustomResourceDefinitionVersion,
): KindDeclaration<ApiObject> {
  const { plural, singular, kind, shortNames, categories } = status.acceptedNames;
  const schema = version.schema?.openAPIV3Schema;
  return {
    group: { name: spec.group, versions: [], versionPriorities: {}, priority: 0 },
    kind,
    resource: plural,
    namespaced: spec.scope === 'Namespaced',
    ...(singular === undefined ? {} : { singular }),
    ...(shortNames === undefined ? {} : { shortNames }),
    ...(categories === undefined ? {} : { categories }),
    doc: schema?.description ?? '',
    versions: [{ version: version.name, type: CustomObject, ...warningOf(spec.group, kind, version) }],
    rules: customRules({
      names,
      structure: family.structure(`${spec.group}/${version.name}`),
      values: schema && valueValidator(schema, markersOf(names)),
      scale: version.subresources?.scale,
      hasStatus: version.subresources?.status !== undefined,
    }),
    columns: customColumns(version.additionalPrinterColumns),
  };
}

function warningOf(group: string, kind: string, version: CustomResourceDefinitionVersion): Partial<Version<ApiObject>> {
  if (!version.deprecated) return {};
  return { deprecationWarning: version.deprecationWarning ?? `${group}/${version.name} ${kind} is deprecated` };
}

function scaleOf({ subresources }: CustomResourceDefinitionVersion): ScaleSubresource | undefined {
  const scale = subresources?.scale;
  if (!scale) return undefined;
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return {
    specReplicas: specReplicasPath,
    statusReplicas: statusReplicasPath,
    ...(labelSelectorPath === undefined ? {} : { selector: labelSelectorPath }),
  };
}

/** All that is known of the fields of every custom object; the rest is the family's business. */
const CustomObject = object('apiextensions.CustomObject', {});

const nodes = new WeakMap<Names, StructNode>();

function objectNode(names: Names): StructNode {
  let node = nodes.get(names);
  if (!node) {
    const { fields, byName, name } = nodeOf(names, CustomObject);
    nodes.set(names, (node = { type: 'struct', name, fields, byName, options: {}, open: true }));
  }
  return node;
}
