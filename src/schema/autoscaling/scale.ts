import { always, int32, opt, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';

export const ScaleSpec = struct('api.autoscaling.v1.ScaleSpec', {
  replicas: opt(1, int32),
});
export type ScaleSpec = Infer<typeof ScaleSpec>;

export const ScaleStatus = struct('api.autoscaling.v1.ScaleStatus', {
  replicas: always(1, int32),
  selector: opt(2, string),
});
export type ScaleStatus = Infer<typeof ScaleStatus>;

export const Scale = object('api.autoscaling.v1.Scale', {
  spec: opt(2, ScaleSpec),
  status: opt(3, ScaleStatus),
});
export type Scale = Infer<typeof Scale>;
