import { always, bool, int32, int64, list, map, opt, ptr, quantity, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { roundResources } from './resourceList.ts';
import { object } from '../meta/object.ts';

export const Taint = struct('api.core.v1.Taint', {
  key: always(1, string),
  value: opt(2, string),
  effect: always(3, string),
  timeAdded: ptr(4, time),
});
export type Taint = Infer<typeof Taint>;

export const ConfigMapNodeConfigSource = struct('api.core.v1.ConfigMapNodeConfigSource', {
  namespace: always(1, string),
  name: always(2, string),
  uid: opt(3, string),
  resourceVersion: opt(4, string),
  '{agent}ConfigKey': always(5, string),
});
export type ConfigMapNodeConfigSource = Infer<typeof ConfigMapNodeConfigSource>;

export const NodeConfigSource = struct('api.core.v1.NodeConfigSource', {
  configMap: ptr(2, ConfigMapNodeConfigSource),
});
export type NodeConfigSource = Infer<typeof NodeConfigSource>;

export const NodeConfigStatus = struct('api.core.v1.NodeConfigStatus', {
  assigned: ptr(1, NodeConfigSource),
  active: ptr(2, NodeConfigSource),
  lastKnownGood: ptr(3, NodeConfigSource),
  error: opt(4, string),
});
export type NodeConfigStatus = Infer<typeof NodeConfigStatus>;

export const NodeSpec = struct(
  'api.core.v1.NodeSpec',
  {
    podCIDR: opt(1, string),
    podCIDRs: opt(7, list(string), { strategy: 'merge' }),
    providerID: opt(3, string),
    unschedulable: opt(4, bool),
    taints: opt(5, list(Taint)),
    configSource: ptr(6, NodeConfigSource),
    externalID: opt(2, string),
  },
  {
    settle(spec) {
      // One range is also the first of many; where the two differ, the single one is right.
      const first = spec.podCIDRs?.[0];
      if (spec.podCIDR === undefined) {
        if (first !== undefined) spec.podCIDR = first;
      } else if (spec.podCIDR !== first) spec.podCIDRs = [spec.podCIDR];
    },
  },
);
export type NodeSpec = Infer<typeof NodeSpec>;

export const NodeAddress = struct('api.core.v1.NodeAddress', {
  type: always(1, string),
  address: always(2, string),
});
export type NodeAddress = Infer<typeof NodeAddress>;

export const NodeCondition = struct('api.core.v1.NodeCondition', {
  type: always(1, string),
  status: always(2, string),
  lastHeartbeatTime: opt(3, time),
  lastTransitionTime: opt(4, time),
  reason: opt(5, string),
  message: opt(6, string),
});
export type NodeCondition = Infer<typeof NodeCondition>;

export const DaemonEndpoint = struct('api.core.v1.DaemonEndpoint', {
  Port: always(1, int32),
});
export type DaemonEndpoint = Infer<typeof DaemonEndpoint>;

export const NodeDaemonEndpoints = struct('api.core.v1.NodeDaemonEndpoints', {
  '{agent}Endpoint': opt(1, DaemonEndpoint),
});
export type NodeDaemonEndpoints = Infer<typeof NodeDaemonEndpoints>;

export const NodeSystemInfo = struct('api.core.v1.NodeSystemInfo', {
  machineID: always(1, string),
  systemUUID: always(2, string),
  bootID: always(3, string),
  kernelVersion: always(4, string),
  osImage: always(5, string),
  containerRuntimeVersion: always(6, string),
  '{agent}Version': always(7, string),
  '{prefix}ProxyVersion': always(8, string),
  operatingSystem: always(9, string),
  architecture: always(10, string),
});
export type NodeSystemInfo = Infer<typeof NodeSystemInfo>;

export const ContainerImage = struct('api.core.v1.ContainerImage', {
  names: always(1, list(string)),
  sizeBytes: opt(2, int64),
});
export type ContainerImage = Infer<typeof ContainerImage>;

export const AttachedVolume = struct('api.core.v1.AttachedVolume', {
  name: always(1, string),
  devicePath: always(2, string),
});
export type AttachedVolume = Infer<typeof AttachedVolume>;

export const NodeStatus = struct(
  'api.core.v1.NodeStatus',
  {
    capacity: opt(1, map(quantity)),
    allocatable: opt(2, map(quantity)),
    phase: opt(3, string),
    conditions: opt(4, list(NodeCondition), { mergeKey: 'type', strategy: 'merge' }),
    addresses: opt(5, list(NodeAddress), { mergeKey: 'type', strategy: 'merge' }),
    daemonEndpoints: opt(6, NodeDaemonEndpoints),
    nodeInfo: opt(7, NodeSystemInfo),
    images: opt(8, list(ContainerImage)),
    volumesInUse: opt(9, list(string)),
    volumesAttached: opt(10, list(AttachedVolume)),
    config: ptr(11, NodeConfigStatus),
  },
  {
    defaults(status) {
      if (status.capacity) status.allocatable ??= { ...status.capacity };
      roundResources(status.capacity);
      roundResources(status.allocatable);
    },
  },
);
export type NodeStatus = Infer<typeof NodeStatus>;

export const Node = object('api.core.v1.Node', {
  spec: opt(2, NodeSpec),
  status: opt(3, NodeStatus),
});
export type Node = Infer<typeof Node>;
