/**
 * Converts definitions between v1 and v1beta1. In v1 each version has all its properties; in v1beta1, which is the hub,
 * common properties are at the top.
 */
import { deepEqual } from '../../std/index.ts';
import type {
  CustomResourceColumnDefinition,
  CustomResourceColumnDefinitionV1beta1,
  CustomResourceConversion,
  CustomResourceConversionV1beta1,
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionV1beta1,
  CustomResourceDefinitionVersion,
} from './customResourceDefinition.ts';
import { takesNull } from './schemaParts.ts';

export function fromHubToV1(definition: CustomResourceDefinitionV1beta1): object {
  const {
    version: _first,
    validation,
    subresources,
    additionalPrinterColumns,
    conversion,
    versions = [],
    ...spec
  } = definition.spec;
  const common = { schema: validation, subresources, additionalPrinterColumns };
  return {
    ...definition,
    spec: {
      ...spec,
      conversion: conversion && upgradeConversion(conversion),
      versions: versions.map((version) => {
        const { additionalPrinterColumns: columns, ...own } = { ...version, ...present(common) };
        return { ...own, additionalPrinterColumns: columns?.map(upgradeColumn) };
      }),
    },
  };
}

function present<T extends object>(fields: T): Partial<T> {
  // Only keys of `fields` are left, so the result is a part of it.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

const upgradeColumn = ({ JSONPath, ...column }: CustomResourceColumnDefinitionV1beta1): object => ({
  ...column,
  jsonPath: JSONPath,
});

function upgradeConversion({
  strategy,
  webhookClientConfig,
  conversionReviewVersions,
}: CustomResourceConversionV1beta1): object {
  const hasWebhook = webhookClientConfig !== undefined || conversionReviewVersions !== undefined;
  return {
    strategy,
    webhook: hasWebhook ? { clientConfig: webhookClientConfig, conversionReviewVersions } : undefined,
  };
}

export function toHubFromV1(definition: CustomResourceDefinition): object {
  const { conversion, ...spec } = definition.spec;
  const versions = spec.versions ?? [];
  const common = commonParts(versions);
  return {
    ...definition,
    spec: {
      ...spec,
      version: versions[0]?.name,
      validation: common.schema,
      subresources: common.subresources,
      additionalPrinterColumns: common.additionalPrinterColumns?.map(downgradeColumn),
      preserveUnknownFields: spec.preserveUnknownFields ?? false,
      conversion: conversion && downgradeConversion(conversion),
      versions: versions.map((version) => ownParts(version, common)),
    },
  };
}

const PARTS = ['schema', 'subresources', 'additionalPrinterColumns'] as const;

type Parts = Partial<Pick<CustomResourceDefinitionVersion, (typeof PARTS)[number]>>;

/** The parts that are the same in all versions. */
function commonParts(versions: NonNullable<CustomResourceDefinitionSpec['versions']>): Parts {
  const [first, ...others] = versions;
  const isSame = (part: keyof Parts): boolean => others.every((version) => deepEqual(version[part], first?.[part]));
  // To the reference a schema in which null is a value is not even the same as itself.
  const hoisted = (part: keyof Parts): boolean => part !== 'schema' || !first?.schema || !takesNull(first.schema);
  const same = PARTS.filter((part) => isSame(part) && hoisted(part));
  return Object.fromEntries(same.map((part) => [part, first?.[part]]));
}

/** The properties that differ from those at the top. */
function ownParts(version: CustomResourceDefinitionVersion, common: Parts): object {
  const columns =
    'additionalPrinterColumns' in common ? undefined : version.additionalPrinterColumns?.map(downgradeColumn);
  return {
    ...version,
    schema: 'schema' in common ? undefined : version.schema,
    subresources: 'subresources' in common ? undefined : version.subresources,
    additionalPrinterColumns: columns,
  };
}

const downgradeColumn = ({ jsonPath, ...column }: CustomResourceColumnDefinition): object => ({
  ...column,
  JSONPath: jsonPath,
});

const downgradeConversion = ({ strategy, webhook }: CustomResourceConversion): object => ({
  strategy,
  webhookClientConfig: webhook?.clientConfig,
  conversionReviewVersions: webhook?.conversionReviewVersions,
});
