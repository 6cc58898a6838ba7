/** The TypeScript types of all that is declared, for rooms that work on objects. Names that several groups use are the first group's. */
export type {
  NodeSelectorRequirement,
  NodeSelectorTerm,
  NodeSelector,
  PreferredSchedulingTerm,
  NodeAffinity,
  PodAffinityTerm,
  WeightedPodAffinityTerm,
  PodAffinity,
  PodAntiAffinity,
  Affinity,
  Toleration,
  TopologySpreadConstraint,
} from './core/affinity.ts';
export type { Binding } from './core/binding.ts';
export type { ComponentCondition, ComponentStatus } from './core/componentStatus.ts';
export type { ConfigMap } from './core/configMap.ts';
export type {
  ContainerPort,
  ConfigMapEnvSource,
  ConfigMapKeySelector,
  SecretEnvSource,
  SecretKeySelector,
  ObjectFieldSelector,
  ResourceFieldSelector,
  EnvVarSource,
  EnvVar,
  EnvFromSource,
  ResourceRequirements,
  VolumeMount,
  VolumeDevice,
  ExecAction,
  HTTPHeader,
  HTTPGetAction,
  TCPSocketAction,
  Handler,
  Probe,
  Lifecycle,
  Container,
  EphemeralContainer,
} from './core/container.ts';
export type {
  ContainerStateWaiting,
  ContainerStateRunning,
  ContainerStateTerminated,
  ContainerState,
  ContainerStatus,
} from './core/containerStatus.ts';
export type { EndpointAddress, EndpointPort, EndpointSubset, Endpoints } from './core/endpoints.ts';
export type { EventSource, EventSeries, Event, EventSeriesV1, EventV1 } from './core/event.ts';
export type { LimitRangeItem, LimitRangeSpec, LimitRange } from './core/limitRange.ts';
export type { PortStatus, LoadBalancerIngress, LoadBalancerStatus } from './core/loadBalancer.ts';
export type { NamespaceCondition, NamespaceSpec, NamespaceStatus, Namespace } from './core/namespace.ts';
export type {
  Taint,
  ConfigMapNodeConfigSource,
  NodeConfigSource,
  NodeConfigStatus,
  NodeSpec,
  NodeAddress,
  NodeCondition,
  DaemonEndpoint,
  NodeDaemonEndpoints,
  NodeSystemInfo,
  ContainerImage,
  AttachedVolume,
  NodeStatus,
  Node,
} from './core/node.ts';
export type {
  AzureFilePersistentVolumeSource,
  CSIPersistentVolumeSource,
  CephFSPersistentVolumeSource,
  CinderPersistentVolumeSource,
  FlexPersistentVolumeSource,
  GlusterfsPersistentVolumeSource,
  ISCSIPersistentVolumeSource,
  LocalVolumeSource,
  RBDPersistentVolumeSource,
  ScaleIOPersistentVolumeSource,
  StorageOSPersistentVolumeSource,
  VolumeNodeAffinity,
  PersistentVolumeSpec,
  PersistentVolumeStatus,
  PersistentVolume,
} from './core/persistentVolume.ts';
export type {
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimCondition,
  PersistentVolumeClaimStatus,
  PersistentVolumeClaim,
} from './core/persistentVolumeClaim.ts';
export type { PodCondition, PodIP, PodStatus, Pod } from './core/pod.ts';
export type {
  HostAlias,
  PodDNSConfigOption,
  PodDNSConfig,
  PodReadinessGate,
  PodSpec,
  PodTemplateSpec,
} from './core/podSpec.ts';
export type { PodTemplate } from './core/podTemplate.ts';
export type {
  LocalObjectReference,
  ObjectReference,
  SecretReference,
  TypedLocalObjectReference,
} from './core/references.ts';
export type {
  ReplicationControllerSpec,
  ReplicationControllerCondition,
  ReplicationControllerStatus,
  ReplicationController,
} from './core/replicationController.ts';
export type {
  ScopedResourceSelectorRequirement,
  ScopeSelector,
  ResourceQuotaSpec,
  ResourceQuotaStatus,
  ResourceQuota,
} from './core/resourceQuota.ts';
export type { Secret } from './core/secret.ts';
export type {
  Capabilities,
  SELinuxOptions,
  SeccompProfile,
  WindowsSecurityContextOptions,
  Sysctl,
  SecurityContext,
  PodSecurityContext,
} from './core/securityContext.ts';
export type {
  ServicePort,
  ClientIPConfig,
  SessionAffinityConfig,
  ServiceSpec,
  ServiceStatus,
  Service,
} from './core/service.ts';
export type { ServiceAccount } from './core/serviceAccount.ts';
export type { TopologySelectorLabelRequirement, TopologySelectorTerm } from './core/topology.ts';
export type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  AzureFileVolumeSource,
  CSIVolumeSource,
  CephFSVolumeSource,
  CinderVolumeSource,
  KeyToPath,
  ConfigMapVolumeSource,
  ConfigMapProjection,
  DownwardAPIVolumeFile,
  DownwardAPIVolumeSource,
  DownwardAPIProjection,
  EmptyDirVolumeSource,
  PersistentVolumeClaimTemplate,
  EphemeralVolumeSource,
  FCVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  GitRepoVolumeSource,
  GlusterfsVolumeSource,
  HostPathVolumeSource,
  ISCSIVolumeSource,
  NFSVolumeSource,
  PersistentVolumeClaimVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  SecretVolumeSource,
  SecretProjection,
  ServiceAccountTokenProjection,
  VolumeProjection,
  ProjectedVolumeSource,
  QuobyteVolumeSource,
  RBDVolumeSource,
  ScaleIOVolumeSource,
  StorageOSVolumeSource,
  VsphereVirtualDiskVolumeSource,
  Volume,
} from './core/volumes.ts';
export type { ControllerRevision } from './apps/controllerRevision.ts';
export type {
  RollingUpdateDaemonSet,
  DaemonSetUpdateStrategy,
  DaemonSetSpec,
  DaemonSetCondition,
  DaemonSetStatus,
  DaemonSet,
} from './apps/daemonSet.ts';
export type {
  RollingUpdateDeployment,
  DeploymentStrategy,
  DeploymentSpec,
  DeploymentCondition,
  DeploymentStatus,
  Deployment,
} from './apps/deployment.ts';
export type { ReplicaSetSpec, ReplicaSetCondition, ReplicaSetStatus, ReplicaSet } from './apps/replicaSet.ts';
export type {
  RollingUpdateStatefulSetStrategy,
  StatefulSetUpdateStrategy,
  StatefulSetSpec,
  StatefulSetCondition,
  StatefulSetStatus,
  StatefulSet,
} from './apps/statefulSet.ts';
export type { JobTemplateSpec, CronJobSpec, CronJobStatus, CronJob } from './batch/cronJob.ts';
export type { JobSpec, JobCondition, JobStatus, Job } from './batch/job.ts';
export type {
  MetricTarget,
  ContainerResourceMetricSource,
  MetricValueStatus,
  ContainerResourceMetricStatus,
  CrossVersionObjectReference,
  MetricIdentifier,
  ExternalMetricSource,
  ExternalMetricStatus,
  HPAScalingPolicy,
  HPAScalingRules,
  HorizontalPodAutoscalerBehavior,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
  MetricSpec,
  HorizontalPodAutoscalerSpec,
  HorizontalPodAutoscalerCondition,
  ObjectMetricStatus,
  PodsMetricStatus,
  ResourceMetricStatus,
  MetricStatus,
  HorizontalPodAutoscalerStatus,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerSpecV1,
  HorizontalPodAutoscalerStatusV1,
  HorizontalPodAutoscalerV1,
  ContainerResourceMetricSourceV2beta1,
  ContainerResourceMetricStatusV2beta1,
  ExternalMetricSourceV2beta1,
  ExternalMetricStatusV2beta1,
  ObjectMetricSourceV2beta1,
  PodsMetricSourceV2beta1,
  ResourceMetricSourceV2beta1,
  MetricSpecV2beta1,
  HorizontalPodAutoscalerSpecV2beta1,
  ObjectMetricStatusV2beta1,
  PodsMetricStatusV2beta1,
  ResourceMetricStatusV2beta1,
  MetricStatusV2beta1,
  HorizontalPodAutoscalerStatusV2beta1,
  HorizontalPodAutoscalerV2beta1,
} from './autoscaling/horizontalPodAutoscaler.ts';
export type { ScaleSpec, ScaleStatus, Scale } from './autoscaling/scale.ts';
export type { AggregationRule, ClusterRole, ClusterRoleV1alpha1 } from './rbac/clusterRole.ts';
export type { ClusterRoleBinding, ClusterRoleBindingV1alpha1 } from './rbac/clusterRoleBinding.ts';
export type { Role, RoleV1alpha1 } from './rbac/role.ts';
export type { RoleBinding, RoleBindingV1alpha1 } from './rbac/roleBinding.ts';
export type { PolicyRule, Subject, RoleRef, PolicyRuleV1alpha1, SubjectV1alpha1 } from './rbac/shared.ts';
export type {
  ServiceBackendPort,
  IngressServiceBackend,
  IngressBackend,
  HTTPIngressPath,
  HTTPIngressRuleValue,
  IngressRule,
  IngressTLS,
  IngressSpec,
  IngressStatus,
  Ingress,
  IngressBackendV1beta1,
  HTTPIngressPathV1beta1,
  HTTPIngressRuleValueV1beta1,
  IngressRuleV1beta1,
  IngressTLSV1beta1,
  IngressSpecV1beta1,
  IngressV1beta1,
} from './networking/ingress.ts';
export type { IngressClassSpec, IngressClass } from './networking/ingressClass.ts';
export type {
  IPBlock,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicyIngressRule,
  NetworkPolicyEgressRule,
  NetworkPolicySpec,
  NetworkPolicy,
} from './networking/networkPolicy.ts';
export type {
  ImageReviewContainerSpec,
  ImageReviewSpec,
  ImageReviewStatus,
  ImageReview,
} from './imagepolicy/imageReview.ts';
export type { Eviction } from './policy/eviction.ts';
export type {
  PodDisruptionBudgetSpec,
  PodDisruptionBudgetStatus,
  PodDisruptionBudget,
} from './policy/podDisruptionBudget.ts';
export type {
  AllowedCSIDriver,
  AllowedFlexVolume,
  AllowedHostPath,
  IDRange,
  FSGroupStrategyOptions,
  HostPortRange,
  RunAsGroupStrategyOptions,
  RunAsUserStrategyOptions,
  RuntimeClassStrategyOptions,
  SELinuxStrategyOptions,
  SupplementalGroupsStrategyOptions,
  PodSecurityPolicySpec,
  PodSecurityPolicy,
} from './policy/podSecurityPolicy.ts';
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
export type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  MutatingWebhookV1beta1,
  MutatingWebhookConfigurationV1beta1,
} from './admissionregistration/mutatingWebhookConfiguration.ts';
export type {
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
  ValidatingWebhookV1beta1,
  ValidatingWebhookConfigurationV1beta1,
} from './admissionregistration/validatingWebhookConfiguration.ts';
export type { ServiceReference, WebhookClientConfig, RuleWithOperations } from './admissionregistration/webhook.ts';
export type {
  CustomResourceColumnDefinition,
  WebhookConversion,
  CustomResourceConversion,
  CustomResourceDefinitionNames,
  CustomResourceValidation,
  CustomResourceSubresourceScale,
  CustomResourceSubresourceStatus,
  CustomResourceSubresources,
  CustomResourceDefinitionVersion,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionStatus,
  CustomResourceDefinition,
  CustomResourceColumnDefinitionV1beta1,
  CustomResourceConversionV1beta1,
  CustomResourceDefinitionVersionV1beta1,
  CustomResourceDefinitionSpecV1beta1,
  CustomResourceDefinitionV1beta1,
} from './apiextensions/customResourceDefinition.ts';
export type { ExternalDocumentation, JSONSchemaProps } from './apiextensions/jsonSchemaProps.ts';
export type {
  APIServiceSpec,
  APIServiceCondition,
  APIServiceStatus,
  APIService,
} from './apiregistration/apiService.ts';
export type {
  BoundObjectReference,
  TokenRequestSpec,
  TokenRequestStatus,
  TokenRequest,
} from './authentication/tokenRequest.ts';
export type { UserInfo, TokenReviewSpec, TokenReviewStatus, TokenReview } from './authentication/tokenReview.ts';
export type {
  LocalSubjectAccessReview,
  LocalSubjectAccessReviewV1beta1,
} from './authorization/localSubjectAccessReview.ts';
export type { SelfSubjectAccessReviewSpec, SelfSubjectAccessReview } from './authorization/selfSubjectAccessReview.ts';
export type {
  NonResourceRule,
  ResourceRule,
  SelfSubjectRulesReviewSpec,
  SubjectRulesReviewStatus,
  SelfSubjectRulesReview,
} from './authorization/selfSubjectRulesReview.ts';
export type {
  NonResourceAttributes,
  ResourceAttributes,
  SubjectAccessReviewSpec,
  SubjectAccessReviewStatus,
  SubjectAccessReview,
  SubjectAccessReviewSpecV1beta1,
  SubjectAccessReviewV1beta1,
} from './authorization/subjectAccessReview.ts';
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
export type { CSIDriverSpec, CSIDriver, CSIDriverSpecV1beta1, CSIDriverV1beta1 } from './storage/csiDriver.ts';
export type { VolumeNodeResources, CSINodeDriver, CSINodeSpec, CSINode } from './storage/csiNode.ts';
export type { StorageClass } from './storage/storageClass.ts';
export type {
  VolumeError,
  VolumeAttachmentSource,
  VolumeAttachmentSpec,
  VolumeAttachmentStatus,
  VolumeAttachment,
} from './storage/volumeAttachment.ts';
export type {
  UserSubject,
  GroupSubject,
  ServiceAccountSubject,
  ResourcePolicyRule,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  FlowDistinguisherMethod,
  PriorityLevelConfigurationReference,
  FlowSchemaSpec,
  FlowSchemaCondition,
  FlowSchemaStatus,
  FlowSchema,
} from './flowcontrol/flowSchema.ts';
export type {
  QueuingConfiguration,
  LimitResponse,
  LimitedPriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  PriorityLevelConfigurationCondition,
  PriorityLevelConfigurationStatus,
  PriorityLevelConfiguration,
} from './flowcontrol/priorityLevelConfiguration.ts';
export type {
  ServerStorageVersion,
  StorageVersionSpec,
  StorageVersionCondition,
  StorageVersionStatus,
  StorageVersion,
} from './internal/storageVersion.ts';
export type { Checked } from './meta/checked.ts';
export type { Condition } from './meta/condition.ts';
export type { Preconditions, DeleteOptions } from './meta/deleteOptions.ts';
export type {
  ServerAddressByClientCIDR,
  GroupVersionForDiscovery,
  APIGroup,
  APIGroupList,
  APIResource,
  APIResourceList,
  APIVersions,
} from './meta/discovery.ts';
export type { LabelSelectorRequirement, LabelSelector } from './meta/labelSelector.ts';
export type { ListMeta } from './meta/listMeta.ts';
export type { OwnerReference, ManagedFieldsEntry, ObjectMeta } from './meta/objectMeta.ts';
export type { StatusCause, StatusDetails } from './meta/status.ts';
export type { Info } from './meta/versionInfo.ts';
export type { WatchEvent } from './meta/watchEvent.ts';
