/** Objects of any kind as their metadata alone, for clients that need no more. */
import { always, list, opt } from '../define/index.ts';
import type { AnyType } from '../define/types.ts';
import { ListMeta } from './listMeta.ts';
import { document, object } from './object.ts';

export const PartialObjectMetadata = object('apimachinery.pkg.apis.meta.v1.PartialObjectMetadata', {});

const items = (number: number) => always(number, list(PartialObjectMetadata as AnyType));

export const PartialObjectMetadataList = document('apimachinery.pkg.apis.meta.v1.PartialObjectMetadataList', {
  metadata: opt(1, ListMeta),
  items: items(2),
});

/** The older version of the list has its fields the other way round on the wire. */
export const PartialObjectMetadataListV1beta1 = document(
  'apimachinery.pkg.apis.meta.v1beta1.PartialObjectMetadataList',
  { metadata: opt(2, ListMeta), items: items(1) },
);
