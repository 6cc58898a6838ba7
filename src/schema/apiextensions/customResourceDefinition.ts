import { always, bool, bytes, atVersion, int32, list, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';
import { JSONSchemaProps } from './jsonSchemaProps.ts';

export const CustomResourceColumnDefinition = struct(
  'apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceColumnDefinition',
  {
    name: always(1, string),
    type: always(2, string),
    format: opt(3, string),
    description: opt(4, string),
    priority: opt(5, int32),
    jsonPath: always(6, string),
  },
);
export type CustomResourceColumnDefinition = Infer<typeof CustomResourceColumnDefinition>;

export const ServiceReference = struct('apiextensions-apiserver.pkg.apis.apiextensions.v1.ServiceReference', {
  namespace: always(1, string),
  name: always(2, string),
  path: ptr(3, string),
  port: ptr(4, int32, { default: 443 }),
});
export type ServiceReference = Infer<typeof ServiceReference>;

export const WebhookClientConfig = struct('apiextensions-apiserver.pkg.apis.apiextensions.v1.WebhookClientConfig', {
  url: ptr(3, string),
  service: ptr(1, ServiceReference),
  caBundle: opt(2, bytes),
});
export type WebhookClientConfig = Infer<typeof WebhookClientConfig>;

export const WebhookConversion = struct('apiextensions-apiserver.pkg.apis.apiextensions.v1.WebhookConversion', {
  clientConfig: ptr(2, WebhookClientConfig),
  conversionReviewVersions: always(3, list(string)),
});
export type WebhookConversion = Infer<typeof WebhookConversion>;

export const CustomResourceConversion = struct(
  'apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceConversion',
  {
    strategy: always(1, string),
    webhook: ptr(2, WebhookConversion),
  },
);
export type CustomResourceConversion = Infer<typeof CustomResourceConversion>;

export const CustomResourceDefinitionNames = struct(
  'apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionNames',
  {
    plural: always(1, string),
    singular: opt(2, string),
    shortNames: opt(3, list(string)),
    kind: always(4, string),
    listKind: opt(5, string),
    categories: opt(6, list(string)),
  },
);
export type CustomResourceDefinitionNames = Infer<typeof CustomResourceDefinitionNames>;

function fillNames(names: CustomResourceDefinitionNames): void {
  if (names.kind === '') return;
  names.singular ??= names.kind.toLowerCase();
  names.listKind ??= `${names.kind}List`;
}

export const CustomResourceValidation = struct(
  'apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceValidation',
  {
    openAPIV3Schema: ptr(1, JSONSchemaProps),
  },
);
export type CustomResourceValidation = Infer<typeof CustomResourceValidation>;

export const CustomResourceSubresourceScale = struct(
  'apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresourceScale',
  {
    specReplicasPath: always(1, string),
    statusReplicasPath: always(2, string),
    labelSelectorPath: ptr(3, string),
  },
);
export type CustomResourceSubresourceScale = Infer<typeof CustomResourceSubresourceScale>;

export const CustomResourceSubresourceStatus = struct(
  'apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresourceStatus',
  {},
);
export type CustomResourceSubresourceStatus = Infer<typeof CustomResourceSubresourceStatus>;

export const CustomResourceSubresources = struct(
  'apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresources',
  {
    status: ptr(1, CustomResourceSubresourceStatus),
    scale: ptr(2, CustomResourceSubresourceScale),
  },
);
export type CustomResourceSubresources = Infer<typeof CustomResourceSubresources>;

export const CustomResourceDefinitionVersion = struct(
  'apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionVersion',
  {
    name: always(1, string),
    served: always(2, bool),
    storage: always(3, bool),
    deprecated: opt(7, bool),
    deprecationWarning: ptr(8, string),
    schema: ptr(4, CustomResourceValidation),
    subresources: ptr(5, CustomResourceSubresources),
    additionalPrinterColumns: opt(6, list(CustomResourceColumnDefinition)),
  },
);
export type CustomResourceDefinitionVersion = Infer<typeof CustomResourceDefinitionVersion>;

export const CustomResourceDefinitionSpec = struct(
  'apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionSpec',
  {
    group: always(1, string),
    names: always(3, CustomResourceDefinitionNames),
    scope: always(4, string),
    versions: always(7, list(CustomResourceDefinitionVersion)),
    conversion: ptr(9, CustomResourceConversion),
    preserveUnknownFields: opt(10, bool),
  },
  {
    defaults(spec) {
      fillNames(spec.names);
      spec.conversion ??= { strategy: 'None' };
    },
  },
);
export type CustomResourceDefinitionSpec = Infer<typeof CustomResourceDefinitionSpec>;

export const CustomResourceDefinitionCondition = struct(
  'apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionCondition',
  {
    type: always(1, string),
    status: always(2, string),
    lastTransitionTime: opt(3, time),
    reason: opt(4, string),
    message: opt(5, string),
  },
);
export type CustomResourceDefinitionCondition = Infer<typeof CustomResourceDefinitionCondition>;

export const CustomResourceDefinitionStatus = struct(
  'apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionStatus',
  {
    conditions: always(1, list(CustomResourceDefinitionCondition), { required: false }),
    acceptedNames: always(2, CustomResourceDefinitionNames, { required: false }),
    storedVersions: always(3, list(string), { required: false }),
  },
);
export type CustomResourceDefinitionStatus = Infer<typeof CustomResourceDefinitionStatus>;

/** Objects may have been stored in the version that stores them now. */
function rememberStorage({
  spec,
  status,
}: {
  spec: { versions?: { name: string; storage: boolean }[] | null };
  status: CustomResourceDefinitionStatus;
}): void {
  const stored = spec.versions?.find((version) => version.storage);
  if (stored && (status.storedVersions ?? []).length === 0) status.storedVersions = [stored.name];
}

export const CustomResourceDefinition = object(
  'apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
  {
    spec: always(2, CustomResourceDefinitionSpec),
    status: opt(3, CustomResourceDefinitionStatus),
  },
  { defaults: rememberStorage },
);
export type CustomResourceDefinition = Infer<typeof CustomResourceDefinition>;

export const CustomResourceColumnDefinitionV1beta1 = struct(
  'apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.CustomResourceColumnDefinition',
  {
    name: always(1, string),
    type: always(2, string),
    format: opt(3, string),
    description: opt(4, string),
    priority: opt(5, int32),
    JSONPath: always(6, string),
  },
);
export type CustomResourceColumnDefinitionV1beta1 = Infer<typeof CustomResourceColumnDefinitionV1beta1>;

export const CustomResourceConversionV1beta1 = struct(
  'apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.CustomResourceConversion',
  {
    strategy: always(1, string),
    webhookClientConfig: ptr(2, atVersion(WebhookClientConfig, 'v1beta1')),
    conversionReviewVersions: opt(3, list(string)),
  },
  {
    defaults(conversion) {
      if (conversion.strategy === 'Webhook') conversion.conversionReviewVersions ??= ['v1beta1'];
    },
  },
);
export type CustomResourceConversionV1beta1 = Infer<typeof CustomResourceConversionV1beta1>;

export const CustomResourceDefinitionVersionV1beta1 = struct(
  'apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.CustomResourceDefinitionVersion',
  {
    name: always(1, string),
    served: always(2, bool),
    storage: always(3, bool),
    deprecated: opt(7, bool),
    deprecationWarning: ptr(8, string),
    schema: ptr(4, atVersion(CustomResourceValidation, 'v1beta1')),
    subresources: ptr(5, atVersion(CustomResourceSubresources, 'v1beta1')),
    additionalPrinterColumns: opt(6, list(CustomResourceColumnDefinitionV1beta1)),
  },
);
export type CustomResourceDefinitionVersionV1beta1 = Infer<typeof CustomResourceDefinitionVersionV1beta1>;

export const CustomResourceDefinitionSpecV1beta1 = struct(
  'apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.CustomResourceDefinitionSpec',
  {
    group: always(1, string),
    version: opt(2, string),
    names: always(3, atVersion(CustomResourceDefinitionNames, 'v1beta1')),
    scope: always(4, string),
    validation: ptr(5, atVersion(CustomResourceValidation, 'v1beta1')),
    subresources: ptr(6, atVersion(CustomResourceSubresources, 'v1beta1')),
    versions: opt(7, list(CustomResourceDefinitionVersionV1beta1)),
    additionalPrinterColumns: opt(8, list(CustomResourceColumnDefinitionV1beta1)),
    conversion: ptr(9, CustomResourceConversionV1beta1),
    preserveUnknownFields: ptr(10, bool),
  },
  {
    defaults(spec) {
      if (spec.scope === '') spec.scope = 'Namespaced';
      fillNames(spec.names);
      spec.conversion ??= { strategy: 'None' };
      spec.preserveUnknownFields ??= true;
    },
  },
);
export type CustomResourceDefinitionSpecV1beta1 = Infer<typeof CustomResourceDefinitionSpecV1beta1>;

/** The older form names one version; the newer form lists them, and the first is that one. */
function listVersions(spec: CustomResourceDefinitionSpecV1beta1): void {
  if (spec.version !== undefined) spec.versions ??= [{ name: spec.version, storage: true, served: true }];
  const first = spec.versions?.[0]?.name;
  if (first !== undefined) spec.version ??= first;
}

export const CustomResourceDefinitionV1beta1 = object(
  'apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.CustomResourceDefinition',
  {
    spec: always(2, CustomResourceDefinitionSpecV1beta1),
    status: opt(3, atVersion(CustomResourceDefinitionStatus, 'v1beta1')),
  },
  {
    defaults(definition) {
      listVersions(definition.spec);
      rememberStorage(definition);
    },
  },
);
export type CustomResourceDefinitionV1beta1 = Infer<typeof CustomResourceDefinitionV1beta1>;
