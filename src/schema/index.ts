export * from './define/index.ts';
export * from './derive/index.ts';
export { kinds } from './kinds.ts';
export * as parts from './parts/index.ts';
export * as groups from './groups.ts';
export * from './values/index.ts';
export * as meta from './meta/index.ts';
export type * as objects from './objects.ts';
export * as status from './status.ts';
export {
  StatusError,
  found,
  isReason,
  type Status,
  type StatusCause,
  type StatusDetails,
  type ResourceName,
} from './status.ts';
export { PodTemplateSpec as podTemplateType } from './core/podSpec.ts';
export * from './core/volumeMatching.ts';
export { qosClassOf } from './core/qos.ts';
export { inDeclaredOrder } from './meta/objectMeta.ts';
export { controllerOf, isControlledBy } from './meta/owners.ts';
export { toV1FromHub as autoscalerAtV1 } from './autoscaling/horizontalPodAutoscaler.convert.ts';
export { POD_TEMPLATE_HASH, withoutHash } from './apps/podTemplateHash.ts';
export { ROLLBACK_TO } from './apps/deployment.ts';
export { seccompAnnotationOf, seccompKeys } from './core/seccomp.ts';
export { isExtendedResource } from './core/resources.rules.ts';
export {
  evaluatorOf,
  isUncounted,
  scopesOf,
  type Counted,
  type Evaluator,
  type Scope,
  type Usage,
} from './core/quota.ts';
export { decodePem, type PemBlock } from './certificates/pem.ts';
export { parseSigningRequest, type RequestedSubject } from './certificates/pkcs10.ts';
export { customPrefix, customResources, type ConvertRemotely } from './custom/index.ts';
export { approvalKey, approvalOf, isProtected } from './apiextensions/approval.ts';
export { mandatoryFlowSchemas, mandatoryPriorityLevels } from './flowcontrol/mandatory.ts';
export { suggestedFlowSchemas, suggestedPriorityLevels } from './flowcontrol/suggested.ts';
export { structuralViolations, type Violations } from './apiextensions/violations.ts';
export * from './authentication/clientProof.ts';
export { carriesSecrets, type RequestedResource } from './secrecy.ts';
