import { always, int32, list, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';

export const PortStatus = struct('api.core.v1.PortStatus', {
  port: always(1, int32),
  protocol: always(2, string),
  error: ptr(3, string),
});
export type PortStatus = Infer<typeof PortStatus>;

export const LoadBalancerIngress = struct('api.core.v1.LoadBalancerIngress', {
  ip: opt(1, string),
  hostname: opt(2, string),
  ports: opt(4, list(PortStatus), { list: 'atomic' }),
});
export type LoadBalancerIngress = Infer<typeof LoadBalancerIngress>;

export const LoadBalancerStatus = struct('api.core.v1.LoadBalancerStatus', {
  ingress: opt(1, list(LoadBalancerIngress)),
});
export type LoadBalancerStatus = Infer<typeof LoadBalancerStatus>;
