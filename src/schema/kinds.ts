/** All kinds. To add one: write its files (README.md), add it to this list. */
import { pods } from './core/pod.kind.ts';
import { bindings } from './core/binding.kind.ts';
import { componentstatuses } from './core/componentStatus.kind.ts';
import { configmaps } from './core/configMap.kind.ts';
import { endpoints } from './core/endpoints.kind.ts';
import { ephemeralcontainers } from './core/ephemeralContainers.kind.ts';
import { events } from './core/event.kind.ts';
import { limitranges } from './core/limitRange.kind.ts';
import { namespaces } from './core/namespace.kind.ts';
import { nodes } from './core/node.kind.ts';
import { persistentvolumes } from './core/persistentVolume.kind.ts';
import { persistentvolumeclaims } from './core/persistentVolumeClaim.kind.ts';
import { podtemplates } from './core/podTemplate.kind.ts';
import { replicationcontrollers } from './core/replicationController.kind.ts';
import { resourcequotas } from './core/resourceQuota.kind.ts';
import { secrets } from './core/secret.kind.ts';
import { services } from './core/service.kind.ts';
import { serviceaccounts } from './core/serviceAccount.kind.ts';
import { controllerrevisions } from './apps/controllerRevision.kind.ts';
import { daemonsets } from './apps/daemonSet.kind.ts';
import { deployments } from './apps/deployment.kind.ts';
import { replicasets } from './apps/replicaSet.kind.ts';
import { statefulsets } from './apps/statefulSet.kind.ts';
import { jobs } from './batch/job.kind.ts';
import { cronjobs } from './batch/cronJob.kind.ts';
import { horizontalpodautoscalers } from './autoscaling/horizontalPodAutoscaler.kind.ts';
import { roles } from './rbac/role.kind.ts';
import { rolebindings } from './rbac/roleBinding.kind.ts';
import { clusterroles } from './rbac/clusterRole.kind.ts';
import { clusterrolebindings } from './rbac/clusterRoleBinding.kind.ts';
import { ingressclasses } from './networking/ingressClass.kind.ts';
import { networkpolicies } from './networking/networkPolicy.kind.ts';
import { ingresses } from './networking/ingress.kind.ts';
import { poddisruptionbudgets } from './policy/podDisruptionBudget.kind.ts';
import { podsecuritypolicies } from './policy/podSecurityPolicy.kind.ts';
import { certificatesigningrequests } from './certificates/certificateSigningRequest.kind.ts';
import { mutatingwebhookconfigurations } from './admissionregistration/mutatingWebhookConfiguration.kind.ts';
import { validatingwebhookconfigurations } from './admissionregistration/validatingWebhookConfiguration.kind.ts';
import { customresourcedefinitions } from './apiextensions/customResourceDefinition.kind.ts';
import { apiservices } from './apiregistration/apiService.kind.ts';
import { tokenreviews } from './authentication/tokenReview.kind.ts';
import { subjectaccessreviews } from './authorization/subjectAccessReview.kind.ts';
import { localsubjectaccessreviews } from './authorization/localSubjectAccessReview.kind.ts';
import { selfsubjectaccessreviews } from './authorization/selfSubjectAccessReview.kind.ts';
import { selfsubjectrulesreviews } from './authorization/selfSubjectRulesReview.kind.ts';
import { leases } from './coordination/lease.kind.ts';
import { endpointslices } from './discovery/endpointSlice.kind.ts';
import { runtimeclasses } from './node/runtimeClass.kind.ts';
import { priorityclasses } from './scheduling/priorityClass.kind.ts';
import { storageclasses } from './storage/storageClass.kind.ts';
import { volumeattachments } from './storage/volumeAttachment.kind.ts';
import { csidrivers } from './storage/csiDriver.kind.ts';
import { csinodes } from './storage/csiNode.kind.ts';
import { flowschemas } from './flowcontrol/flowSchema.kind.ts';
import { prioritylevelconfigurations } from './flowcontrol/priorityLevelConfiguration.kind.ts';
import { storageversions } from './internal/storageVersion.kind.ts';
import { tokenrequests } from './authentication/tokenRequest.kind.ts';
import { scales } from './autoscaling/scale.kind.ts';
import { evictions } from './policy/eviction.kind.ts';
import { imagereviews } from './imagepolicy/imageReview.kind.ts';
import type { KindDeclaration } from './define/index.ts';

export const kinds: readonly KindDeclaration[] = [
  pods,
  bindings,
  componentstatuses,
  configmaps,
  endpoints,
  events,
  limitranges,
  namespaces,
  nodes,
  persistentvolumes,
  persistentvolumeclaims,
  podtemplates,
  replicationcontrollers,
  resourcequotas,
  secrets,
  services,
  serviceaccounts,
  controllerrevisions,
  daemonsets,
  deployments,
  replicasets,
  statefulsets,
  jobs,
  cronjobs,
  horizontalpodautoscalers,
  roles,
  rolebindings,
  clusterroles,
  clusterrolebindings,
  ingressclasses,
  networkpolicies,
  ingresses,
  poddisruptionbudgets,
  podsecuritypolicies,
  certificatesigningrequests,
  mutatingwebhookconfigurations,
  validatingwebhookconfigurations,
  customresourcedefinitions,
  apiservices,
  tokenreviews,
  subjectaccessreviews,
  localsubjectaccessreviews,
  selfsubjectaccessreviews,
  selfsubjectrulesreviews,
  leases,
  endpointslices,
  runtimeclasses,
  priorityclasses,
  storageclasses,
  volumeattachments,
  csidrivers,
  csinodes,
  flowschemas,
  prioritylevelconfigurations,
  storageversions,
  scales,
  ephemeralcontainers,
  evictions,
  tokenrequests,
  imagereviews,
];
