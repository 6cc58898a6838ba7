/** All kinds. To add one: write its file, add it to this list. */
import { pods } from './core/pod.ts';
import { bindings } from './core/binding.ts';
import { componentstatuses } from './core/componentStatus.ts';
import { configmaps } from './core/configMap.ts';
import { endpoints } from './core/endpoints.ts';
import { ephemeralcontainers } from './core/ephemeralContainers.ts';
import { events } from './core/event.ts';
import { limitranges } from './core/limitRange.ts';
import { namespaces } from './core/namespace.ts';
import { nodes } from './core/node.ts';
import { persistentvolumes } from './core/persistentVolume.ts';
import { persistentvolumeclaims } from './core/persistentVolumeClaim.ts';
import { podtemplates } from './core/podTemplate.ts';
import { replicationcontrollers } from './core/replicationController.ts';
import { resourcequotas } from './core/resourceQuota.ts';
import { secrets } from './core/secret.ts';
import { services } from './core/service.ts';
import { serviceaccounts } from './core/serviceAccount.ts';
import { controllerrevisions } from './apps/controllerRevision.ts';
import { daemonsets } from './apps/daemonSet.ts';
import { deployments } from './apps/deployment.ts';
import { replicasets } from './apps/replicaSet.ts';
import { statefulsets } from './apps/statefulSet.ts';
import { jobs } from './batch/job.ts';
import { cronjobs } from './batch/cronJob.ts';
import { horizontalpodautoscalers } from './autoscaling/horizontalPodAutoscaler.ts';
import { roles } from './rbac/role.ts';
import { rolebindings } from './rbac/roleBinding.ts';
import { clusterroles } from './rbac/clusterRole.ts';
import { clusterrolebindings } from './rbac/clusterRoleBinding.ts';
import { ingressclasses } from './networking/ingressClass.ts';
import { networkpolicies } from './networking/networkPolicy.ts';
import { ingresses } from './networking/ingress.ts';
import { poddisruptionbudgets } from './policy/podDisruptionBudget.ts';
import { podsecuritypolicies } from './policy/podSecurityPolicy.ts';
import { certificatesigningrequests } from './certificates/certificateSigningRequest.ts';
import { mutatingwebhookconfigurations } from './admissionregistration/mutatingWebhookConfiguration.ts';
import { validatingwebhookconfigurations } from './admissionregistration/validatingWebhookConfiguration.ts';
import { customresourcedefinitions } from './apiextensions/customResourceDefinition.ts';
import { apiservices } from './apiregistration/apiService.ts';
import { tokenreviews } from './authentication/tokenReview.ts';
import { subjectaccessreviews } from './authorization/subjectAccessReview.ts';
import { localsubjectaccessreviews } from './authorization/localSubjectAccessReview.ts';
import { selfsubjectaccessreviews } from './authorization/selfSubjectAccessReview.ts';
import { selfsubjectrulesreviews } from './authorization/selfSubjectRulesReview.ts';
import { leases } from './coordination/lease.ts';
import { endpointslices } from './discovery/endpointSlice.ts';
import { runtimeclasses } from './node/runtimeClass.ts';
import { priorityclasses } from './scheduling/priorityClass.ts';
import { storageclasses } from './storage/storageClass.ts';
import { volumeattachments } from './storage/volumeAttachment.ts';
import { csidrivers } from './storage/csiDriver.ts';
import { csinodes } from './storage/csiNode.ts';
import { flowschemas } from './flowcontrol/flowSchema.ts';
import { prioritylevelconfigurations } from './flowcontrol/priorityLevelConfiguration.ts';
import { storageversions } from './internal/storageVersion.ts';
import { tokenrequests } from './authentication/tokenRequest.ts';
import { scales } from './autoscaling/scale.ts';
import { evictions } from './policy/eviction.ts';
import { imagereviews } from './imagepolicy/imageReview.ts';
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
