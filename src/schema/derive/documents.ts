/** Types that are bodies of requests and answers without being resources: lists, statuses, options, reviews. */
import type { Names } from '../../names/index.ts';
import { always, list, opt, type AnyType, type StructType } from '../define/types.ts';
import { APIGroup, APIGroupList, APIResourceList, APIVersions } from '../meta/discovery.ts';
import { DeleteOptions } from '../meta/deleteOptions.ts';
import { ListMeta } from '../meta/listMeta.ts';
import { document } from '../meta/object.ts';
import {
  PartialObjectMetadata,
  PartialObjectMetadataList,
  PartialObjectMetadataListV1beta1,
} from '../meta/partialObjectMetadata.ts';
import { Status } from '../meta/status.ts';
import { WatchEvent } from '../meta/watchEvent.ts';
import { nodeOf } from './nodes.ts';
import type { ResourceIndex } from './resourceIndex.ts';
import type { GroupVersionKind, StructNode } from './scheme.ts';

/** Under `v1` and, where they are common to all groups, under every other version. */
const CORE: readonly (readonly [string, StructType])[] = [
  ['Status', Status],
  ['APIVersions', APIVersions],
  ['APIGroup', APIGroup],
  ['APIGroupList', APIGroupList],
  ['APIResourceList', APIResourceList],
];
/** Other shapes of any object, in the group of what is common to all. */
const SHAPES: readonly (readonly [string, StructType])[] = [
  ['v1/PartialObjectMetadata', PartialObjectMetadata],
  ['v1/PartialObjectMetadataList', PartialObjectMetadataList],
  ['v1beta1/PartialObjectMetadata', PartialObjectMetadata],
  ['v1beta1/PartialObjectMetadataList', PartialObjectMetadataListV1beta1],
];
const COMMON = new Map<string, StructType>([
  ['DeleteOptions', DeleteOptions],
  ['WatchEvent', WatchEvent],
]);

const lists = new WeakMap<StructType, StructType>();

/** The list of a kind, from the struct of its items. */
export function listOf(item: StructType): StructType {
  let type = lists.get(item);
  if (!type) lists.set(item, (type = declareList(item)));
  return type;
}

function declareList(item: StructType): StructType {
  const metadata = opt(1, ListMeta, {
    doc: 'Metadata of the list: the version at which it was read, and where it goes on.',
  });
  const doc = `List of ${pluralOf(item.name.slice(item.name.lastIndexOf('.') + 1))}.`;
  return document(`${item.name}List`, { metadata, items: always(2, list(item as AnyType), { doc }) });
}

/** A kind's name as a word in the plural: `services`, `ingresses`, `network policies`. */
function pluralOf(kind: string): string {
  const words = kind.replace(/([a-z])(?=[A-Z])/g, '$1 ').toLowerCase();
  if (words.endsWith('s')) return words === 'endpoints' ? words : `${words}es`;
  return words.endsWith('cy') ? `${words.slice(0, -1)}ies` : `${words}s`;
}

export class Documents {
  readonly #names: Names;
  readonly #index: ResourceIndex;
  readonly #known: ReadonlyMap<string, StructType>;

  constructor(names: Names, index: ResourceIndex) {
    this.#names = names;
    this.#index = index;
    this.#known = new Map([
      ...CORE.map(([kind, type]) => [`v1/${kind}`, type] as const),
      ...SHAPES.map(([shape, type]) => [`meta.${names.domain}/${shape}`, type] as const),
    ]);
  }

  /** The type of a body, whether it is a resource or not. */
  typeOf(gvk: GroupVersionKind): StructNode | undefined {
    const resource = this.#index.byKind(gvk);
    if (resource) return resource.node;
    const { group, version, kind } = gvk;
    const type = this.#known.get(`${group === '' ? version : `${group}/${version}`}/${kind}`) ?? COMMON.get(kind);
    if (type) return nodeOf(this.#names, type);
    return kind.endsWith('List') ? this.#listOf({ group, version, kind: kind.slice(0, -'List'.length) }) : undefined;
  }

  #listOf(gvk: GroupVersionKind): StructNode | undefined {
    const item = this.#index.byKind(gvk);
    return item && !item.custom ? nodeOf(this.#names, listOf(item.version.type)) : undefined;
  }
}
