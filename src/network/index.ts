export { backendsOf, referenceTo, targetPort, type Backend } from './endpoints.ts';
export { sortByDigest, subsetsOf } from './subsets.ts';
export { networkResources, viewHandler } from './resources.ts';
export { networkSettings } from './settings.ts';
export {
  addressesOfPod,
  keyOf,
  NetworkView,
  SYSTEM_LABEL,
  type NetworkObjects,
  type NetworkResource,
  type NetworkSettings,
} from './view.ts';
export { recordsOf, type DnsRecord, type RecordType } from './dns/records.ts';
export { resolvConfOf, resolvConfText, type ResolvConf } from './dns/resolvConf.ts';
export { hostnameOf, isUnanswered, lookUp, recordsAt, type Lookup, type Question } from './dns/lookup.ts';
export { DNS_PORT, hasNameServerPods, isBuiltIn, nameServerName } from './dns/nameServer.ts';
export {
  isolatingPolicies,
  judge,
  judgeSide,
  type Direction,
  type End,
  type Flow,
  type PolicyVerdict,
  type Protocol,
  type RuleRef,
  type SideReason,
  type SideVerdict,
} from './policy/judge.ts';
export { nearMisses, type Mismatch, type NearMiss } from './policy/nearMisses.ts';
export { addressesToWrite, isServed, routeIngress, type HttpRequest, type IngressRoute } from './ingress.ts';
export { candidatesOf, routeToService, type Candidate, type Choose, type ServiceRoute } from './service/route.ts';
export { senderOf, tracePacket } from './packet/trace.ts';
export {
  outcomeOf,
  type Hop,
  type Listens,
  type Outcome,
  type PacketQuestion,
  type PacketTrace,
  type Reason,
  type Source,
} from './packet/types.ts';
export { changesBetween, Matrix, type Cell, type Change, type MatrixPort } from './matrix.ts';
export { adviseOn, type Advice } from './policy/advice.ts';
export { Dataplane, type DataplaneOptions } from './dataplane/dataplane.ts';
export type { JudgeCertificate } from './dataplane/open.ts';
