import { bool, bytes, map, opt, ptr, string } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';

export const ConfigMap = object('api.core.v1.ConfigMap', {
  immutable: ptr(4, bool, { doc: 'Whether nothing but metadata can be changed any more.' }),
  data: opt(2, map(string), { doc: 'Texts by key.' }),
  binaryData: opt(3, map(bytes), { doc: 'Bytes by key, in base64.' }),
});
export type ConfigMap = Infer<typeof ConfigMap>;
