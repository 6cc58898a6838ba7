import { always, atVersion, bool, int64, list, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';

export const TokenRequest = struct('api.storage.v1.TokenRequest', {
  audience: always(1, string),
  expirationSeconds: ptr(2, int64),
});
export type TokenRequest = Infer<typeof TokenRequest>;

export const CSIDriverSpec = struct(
  'api.storage.v1.CSIDriverSpec',
  {
    attachRequired: ptr(1, bool, { default: true }),
    podInfoOnMount: ptr(2, bool, { default: false }),
    volumeLifecycleModes: opt(3, list(string), { list: 'set' }),
    storageCapacity: ptr(4, bool),
    fsGroupPolicy: ptr(5, string),
    tokenRequests: opt(6, list(TokenRequest), { list: 'atomic' }),
    requiresRepublish: ptr(7, bool),
  },
  { defaults: fillSpec },
);
export type CSIDriverSpec = Infer<typeof CSIDriverSpec>;

type Filled = 'volumeLifecycleModes' | 'fsGroupPolicy' | 'storageCapacity' | 'requiresRepublish';

/** What every version fills in; some fields only where their gate is on. */
function fillSpec(
  spec: { -readonly [K in Filled]?: CSIDriverSpec[K] },
  { gate }: { gate: (name: string) => boolean },
): void {
  spec.volumeLifecycleModes ??= ['Persistent'];
  if (gate('CSIVolumeFSGroupPolicy')) spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
  if (gate('CSIStorageCapacity')) spec.storageCapacity ??= false;
  if (gate('CSIServiceAccountToken')) spec.requiresRepublish ??= false;
}

export const CSIDriver = object('api.storage.v1.CSIDriver', {
  spec: always(2, CSIDriverSpec),
});
export type CSIDriver = Infer<typeof CSIDriver>;

export const CSIDriverSpecV1beta1 = struct(
  'api.storage.v1beta1.CSIDriverSpec',
  {
    attachRequired: ptr(1, bool, { default: true }),
    podInfoOnMount: ptr(2, bool, { default: false }),
    volumeLifecycleModes: opt(3, list(string)),
    storageCapacity: ptr(4, bool),
    fsGroupPolicy: ptr(5, string),
    tokenRequests: opt(6, list(atVersion(TokenRequest, 'v1beta1')), { list: 'atomic' }),
    requiresRepublish: ptr(7, bool),
  },
  { defaults: fillSpec },
);
export type CSIDriverSpecV1beta1 = Infer<typeof CSIDriverSpecV1beta1>;

export const CSIDriverV1beta1 = object('api.storage.v1beta1.CSIDriver', {
  spec: always(2, CSIDriverSpecV1beta1),
});
export type CSIDriverV1beta1 = Infer<typeof CSIDriverV1beta1>;
