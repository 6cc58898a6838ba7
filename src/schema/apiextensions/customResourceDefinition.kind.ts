import { kind } from '../define/index.ts';
import { apiextensions } from '../groups.ts';
import { fromHubToV1, toHubFromV1 } from './customResourceDefinition.convert.ts';
import { definitions } from '../parts/index.ts';
import { CustomResourceDefinition, CustomResourceDefinitionV1beta1 } from './customResourceDefinition.ts';

export const customresourcedefinitions = kind(CustomResourceDefinitionV1beta1, {
  group: apiextensions,
  kind: 'CustomResourceDefinition',
  resource: 'customresourcedefinitions',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  namespaced: false,
  doc: 'Adds a resource to the API: its names, versions and schemas.',
  hub: 'v1beta1',
  storesEmpty: true,
  versions: [
    { version: 'v1', type: CustomResourceDefinition, toHub: toHubFromV1, fromHub: fromHubToV1 },
    {
      version: 'v1beta1',
      type: CustomResourceDefinitionV1beta1,
      deprecated: { since: 'v1.16', removed: 'v1.22', replacement: 'apiextensions.{domain}/v1' },
    },
  ],
  status: true,
  rules: definitions.of('customResourceDefinitionRules'),
});
