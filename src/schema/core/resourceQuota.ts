import { always, list, map, opt, ptr, quantity, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { roundResources } from './resourceList.ts';
import { object } from '../meta/object.ts';

export const ScopedResourceSelectorRequirement = struct('api.core.v1.ScopedResourceSelectorRequirement', {
  scopeName: always(1, string),
  operator: always(2, string),
  values: opt(3, list(string)),
});
export type ScopedResourceSelectorRequirement = Infer<typeof ScopedResourceSelectorRequirement>;

export const ScopeSelector = struct('api.core.v1.ScopeSelector', {
  matchExpressions: opt(1, list(ScopedResourceSelectorRequirement)),
});
export type ScopeSelector = Infer<typeof ScopeSelector>;

export const ResourceQuotaSpec = struct(
  'api.core.v1.ResourceQuotaSpec',
  {
    hard: opt(1, map(quantity)),
    scopes: opt(2, list(string)),
    scopeSelector: ptr(3, ScopeSelector),
  },
  {
    defaults(spec) {
      roundResources(spec.hard);
    },
  },
);
export type ResourceQuotaSpec = Infer<typeof ResourceQuotaSpec>;

export const ResourceQuotaStatus = struct(
  'api.core.v1.ResourceQuotaStatus',
  {
    hard: opt(1, map(quantity)),
    used: opt(2, map(quantity)),
  },
  {
    defaults(status) {
      roundResources(status.hard);
      roundResources(status.used);
    },
  },
);
export type ResourceQuotaStatus = Infer<typeof ResourceQuotaStatus>;

export const ResourceQuota = object('api.core.v1.ResourceQuota', {
  spec: opt(2, ResourceQuotaSpec),
  status: opt(3, ResourceQuotaStatus),
});
export type ResourceQuota = Infer<typeof ResourceQuota>;
