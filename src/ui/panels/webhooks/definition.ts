/** The definition whose objects the example of a conversion webhook converts. */
import type { Names } from '../../../names/index.ts';
import type { ApiObject } from '../../../schema/index.ts';

const GROUP = 'garden.example.com';

/** Beds in two versions; the later one is stored. `authority` is PEM. */
export function definitionOf(webhook: string, namespace: string, authority: string, names: Names): ApiObject {
  const clientConfig = { service: { namespace, name: webhook }, caBundle: btoa(authority) };
  return {
    apiVersion: names.fill('apiextensions.{domain}/v1'),
    kind: 'CustomResourceDefinition',
    metadata: { name: `beds.${GROUP}` } as ApiObject['metadata'],
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'beds', singular: 'bed', kind: 'Bed' },
      versions: [
        { name: 'v1', served: true, storage: false, schema: schemaOf({ size: { type: 'string' } }) },
        {
          name: 'v2',
          served: true,
          storage: true,
          schema: schemaOf({ width: { type: 'integer' }, length: { type: 'integer' } }),
        },
      ],
      conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
    },
  };
}

const schemaOf = (properties: object): object => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
});
