/** What the summary says of each kind, before conditions and metadata; kinds that are not listed get their spec's plain values. */
import type { Description } from './description.ts';
import { getOwn } from '../../../../std/index.ts';
import type { ApiObject } from '../../../../schema/index.ts';
import { describeAccess } from './access.tsx';
import { describeConfiguration } from './configuration.tsx';
import { describeEndpoints, describeIngress, describeNetworkPolicy } from './network.tsx';
import { describeNode } from './node.tsx';
import { describePlain } from './plain.tsx';
import { describePod } from './pod.tsx';
import { describeService } from './service.tsx';
import { describeWorkload } from './workload.tsx';

type Describer = (object: ApiObject) => readonly Description[];

const describers: Readonly<Record<string, Describer>> = {
  Pod: describePod,
  Node: describeNode,
  Service: describeService,
  NetworkPolicy: describeNetworkPolicy,
  Ingress: describeIngress,
  Endpoints: describeEndpoints,
  Deployment: describeWorkload,
  ReplicaSet: describeWorkload,
  StatefulSet: describeWorkload,
  DaemonSet: describeWorkload,
  ReplicationController: describeWorkload,
  Role: describeAccess,
  ClusterRole: describeAccess,
  RoleBinding: describeAccess,
  ClusterRoleBinding: describeAccess,
  ConfigMap: describeConfiguration,
  Secret: describeConfiguration,
};

export function describe(object: ApiObject): readonly Description[] {
  return (getOwn(describers, object.kind ?? '') ?? describePlain)(object);
}
