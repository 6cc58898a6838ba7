/** The TypeScript types of what this folder declares, for rooms that work on objects; `../objects.ts` gathers them. */
export type {
  CustomResourceColumnDefinition,
  WebhookConversion,
  CustomResourceConversion,
  CustomResourceDefinitionNames,
  CustomResourceValidation,
  CustomResourceSubresourceScale,
  CustomResourceSubresourceStatus,
  CustomResourceSubresources,
  CustomResourceDefinitionVersion,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionStatus,
  CustomResourceDefinition,
  CustomResourceColumnDefinitionV1beta1,
  CustomResourceConversionV1beta1,
  CustomResourceDefinitionVersionV1beta1,
  CustomResourceDefinitionSpecV1beta1,
  CustomResourceDefinitionV1beta1,
} from './customResourceDefinition.ts';
export type { ExternalDocumentation, JSONSchemaProps } from './jsonSchemaProps.ts';
