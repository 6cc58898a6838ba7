/** The TypeScript types of all that is declared, for rooms that work on objects. Names that several groups use are the first group's. */
export type * from './core/types.ts';
export type * from './apps/types.ts';
export type * from './batch/types.ts';
export type * from './autoscaling/types.ts';
export type * from './rbac/types.ts';
export type * from './networking/types.ts';
export type {
  ImageReviewContainerSpec,
  ImageReviewSpec,
  ImageReviewStatus,
  ImageReview,
} from './imagepolicy/imageReview.ts';
export type * from './policy/types.ts';
export type {
  CertificateSigningRequestSpec,
  CertificateSigningRequestCondition,
  CertificateSigningRequestStatus,
  CertificateSigningRequest,
  CertificateSigningRequestSpecV1beta1,
  CertificateSigningRequestConditionV1beta1,
  CertificateSigningRequestStatusV1beta1,
  CertificateSigningRequestV1beta1,
} from './certificates/certificateSigningRequest.ts';
export type * from './admissionregistration/types.ts';
export type * from './apiextensions/types.ts';
export type {
  APIServiceSpec,
  APIServiceCondition,
  APIServiceStatus,
  APIService,
} from './apiregistration/apiService.ts';
export type * from './authentication/types.ts';
export type * from './authorization/types.ts';
export type { LeaseSpec, Lease } from './coordination/lease.ts';
export type { EndpointConditions, Endpoint, EndpointSlice } from './discovery/endpointSlice.ts';
export type {
  Overhead,
  Scheduling,
  RuntimeClass,
  RuntimeClassSpecV1alpha1,
  RuntimeClassV1alpha1,
} from './node/runtimeClass.ts';
export type { PriorityClass } from './scheduling/priorityClass.ts';
export type * from './storage/types.ts';
export type * from './flowcontrol/types.ts';
export type {
  ServerStorageVersion,
  StorageVersionSpec,
  StorageVersionCondition,
  StorageVersionStatus,
  StorageVersion,
} from './internal/storageVersion.ts';
export type * from './meta/types.ts';
