/** The controller manager's flags (specification, Limits 4). */
import {
  bool,
  duration,
  file,
  float,
  float32,
  int,
  int32,
  ip,
  section,
  strings,
  text,
  without,
  type Flag,
} from '../declare.ts';
import {
  delegatedAuthentication,
  delegatedAuthorization,
  featureGatesFlag,
  global,
  leaderElection,
  logs,
  metrics,
  secureServing,
  servingCertificates,
} from './shared.ts';

const gone = 'This flag is currently no-op and will be deleted.';

const generic = section(
  'Generic',
  bool('allocate-node-cidrs'),
  without('ranges', text('cidr-allocator-type', 'RangeAllocator')),
  text('cluster-cidr'),
  without(
    'cloud',
    text('cloud-config'),
    text('cloud-provider'),
    text('cluster-name', '{product}'),
    bool('configure-cloud-routes', 'true'),
    text('external-cloud-volume-plugin'),
    duration('route-reconciliation-period', '10s'),
  ),
  without('start', duration('controller-start-interval')),
  strings('controllers', '*'),
  featureGatesFlag,
  without(
    'direct',
    int32('{prefix}-api-burst', '30'),
    text('{prefix}-api-content-type', 'application/vnd.{product}.protobuf'),
    float32('{prefix}-api-qps', '20'),
  ),
  leaderElection('{prefix}-controller-manager'),
  without('resync', duration('min-resync-period', '12h0m0s')),
  without('noticed', duration('node-monitor-period', '5s')),
  bool('use-service-account-credentials'),
);

const workloads = [
  ...section(
    'Deployment controller',
    int32('concurrent-deployment-syncs', '5'),
    without('resync', duration('deployment-controller-sync-period', '30s')),
  ),
  ...section('Statefulset controller', int32('concurrent-statefulset-syncs', '5')),
  ...section('Replicaset controller', int32('concurrent-replicaset-syncs', '5')),
  ...section('Replicationcontroller', int32('concurrent_rc_syncs', '5')),
  ...section('Ttl-after-finished controller', int32('concurrent-ttl-after-finished-syncs', '5')),
  ...section(
    'Horizontalpodautoscaling controller',
    duration('horizontal-pod-autoscaler-cpu-initialization-period', '5m0s'),
    duration('horizontal-pod-autoscaler-downscale-stabilization', '5m0s'),
    duration('horizontal-pod-autoscaler-initial-readiness-delay', '30s'),
    duration('horizontal-pod-autoscaler-sync-period', '15s'),
    float('horizontal-pod-autoscaler-tolerance', '0.1'),
    without(
      'gone',
      duration('horizontal-pod-autoscaler-upscale-delay', '3m0s', {
        deprecated: gone,
      }),
      duration('horizontal-pod-autoscaler-downscale-delay', '5m0s', {
        deprecated: gone,
      }),
      bool('horizontal-pod-autoscaler-use-rest-clients', 'true', { deprecated: gone }),
    ),
  ),
];

const endpoints = [
  ...section('Endpoint controller', int32('concurrent-endpoint-syncs', '5'), duration('endpoint-updates-batch-period')),
  ...section(
    'Endpointslice controller',
    int32('concurrent-service-endpoint-syncs', '5'),
    duration('endpointslice-updates-batch-period'),
    int32('max-endpoints-per-slice', '100'),
  ),
  ...section(
    'Endpointslicemirroring controller',
    int32('mirroring-concurrent-service-endpoint-syncs', '5'),
    duration('mirroring-endpointslice-updates-batch-period'),
    int32('mirroring-max-endpoints-per-subset', '1000'),
  ),
];

const housekeeping = [
  ...section(
    'Garbagecollector controller',
    int32('concurrent-gc-syncs', '20'),
    bool('enable-garbage-collector', 'true'),
  ),
  ...section(
    'Namespace controller',
    int32('concurrent-namespace-syncs', '10'),
    without('resync', duration('namespace-sync-period', '5m0s')),
  ),
  ...section('Podgc controller', int32('terminated-pod-gc-threshold', '12500')),
  ...section(
    'Resourcequota controller',
    int32('concurrent-resource-quota-syncs', '5'),
    duration('resource-quota-sync-period', '5m0s'),
  ),
  ...section(
    'Serviceaccount controller',
    int32('concurrent-serviceaccount-token-syncs', '5'),
    file('root-ca-file', '', { supplied: 'pki/ca.crt' }),
    file('service-account-private-key-file', '', {
      supplied: 'pki/sa.key',
    }),
  ),
];

const nodes = [
  ...section(
    'Nodeipam controller',
    int32('node-cidr-mask-size'),
    int32('node-cidr-mask-size-ipv4'),
    int32('node-cidr-mask-size-ipv6'),
    text('service-cluster-ip-range'),
  ),
  ...section(
    'Nodelifecycle controller',
    bool('enable-taint-manager', 'true'),
    int32('large-cluster-size-threshold', '50'),
    float32('node-eviction-rate', '0.1'),
    duration('node-monitor-grace-period', '40s'),
    duration('node-startup-grace-period', '1m0s'),
    duration('pod-eviction-timeout', '5m0s'),
    float32('secondary-node-eviction-rate', '0.01'),
    float32('unhealthy-zone-threshold', '0.55'),
  ),
];

const signing = section(
  'Csrsigning controller',
  file('cluster-signing-cert-file', '', {
    supplied: 'pki/ca.crt',
  }),
  duration('cluster-signing-duration', '8760h0m0s'),
  file('cluster-signing-key-file', '', { supplied: 'pki/ca.key' }),
  file('cluster-signing-{prefix}-apiserver-client-cert-file'),
  file('cluster-signing-{prefix}-apiserver-client-key-file'),
  file('cluster-signing-{agent}-client-cert-file'),
  file('cluster-signing-{agent}-client-key-file'),
  file('cluster-signing-{agent}-serving-cert-file'),
  file('cluster-signing-{agent}-serving-key-file'),
  file('cluster-signing-legacy-unknown-cert-file'),
  file('cluster-signing-legacy-unknown-key-file'),
  duration('experimental-cluster-signing-duration', '8760h0m0s', {
    deprecated: 'use --cluster-signing-duration',
    alias: 'cluster-signing-duration',
  }),
);

const volumes = [
  ...section(
    'Attachdetach controller',
    without(
      'attachment',
      duration('attach-detach-reconcile-sync-period', '1m0s'),
      bool('disable-attach-detach-reconcile-sync'),
    ),
  ),
  ...section(
    'Persistentvolume-binder controller',
    bool('enable-dynamic-provisioning', 'true'),
    int32('pv-recycler-increment-timeout-nfs', '30'),
    int32('pv-recycler-minimum-timeout-hostpath', '60'),
    int32('pv-recycler-minimum-timeout-nfs', '300'),
    int32('pv-recycler-timeout-increment-hostpath', '30'),
    without(
      'volumes',
      bool('enable-hostpath-provisioner'),
      text('flex-volume-plugin-dir', '/usr/libexec/{product}/{agent}-plugins/volume/exec/'),
      text('pv-recycler-pod-template-filepath-hostpath'),
      text('pv-recycler-pod-template-filepath-nfs'),
      bool('volume-host-allow-local-loopback', 'true'),
      strings('volume-host-cidr-denylist'),
    ),
    duration('pvclaimbinder-sync-period', '15s'),
  ),
];

export const controllerManager: readonly Flag[] = [
  ...section('Debugging', without('profiling', bool('contention-profiling'), bool('profiling', 'true'))),
  ...generic,
  ...section('Service controller', int32('concurrent-service-syncs', '1')),
  ...section('Secure serving', secureServing('10257', ''), without('listening', ...servingCertificates())),
  ...section(
    'Insecure serving',
    without(
      'listening',
      ip('address', '0.0.0.0', { deprecated: 'see --bind-address instead.' }),
      int('port', '10252', { deprecated: 'see --secure-port instead.' }),
    ),
  ),
  ...delegatedAuthentication(false),
  ...delegatedAuthorization,
  ...volumes,
  ...signing,
  ...workloads,
  ...endpoints,
  ...housekeeping,
  ...nodes,
  ...metrics,
  ...logs,
  ...section(
    'Misc',
    without('direct', text('kubeconfig'), text('master')),
    without(
      'gone',
      float32('deleting-pods-qps', '0.1', { deprecated: gone }),
      int32('deleting-pods-burst', '0', { deprecated: gone }),
      int32('register-retry-count', '10', { deprecated: gone }),
    ),
  ),
  ...global,
];
