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
  reasons,
  secureServing,
  servingCertificates,
} from './shared.ts';

const gone = 'This flag is currently no-op and will be deleted.';
const RESYNC = 'Caches follow every change as it happens; nothing is missed that a resync would find.';
const NETWORK = 'Nodes get no pod ranges: the simulated network gives pods addresses without them.';
const NOTICED = 'A silent node is noticed when its grace period ends, not at the next look.';
const PLUGINS = 'Volumes are simulated: no volume plugin runs here.';

const generic = section(
  'Generic',
  without(
    NETWORK,
    bool('allocate-node-cidrs', '', 'Gives each node a range of pod addresses.'),
    text('cidr-allocator-type', 'RangeAllocator', 'Who chooses the ranges.'),
    text('cluster-cidr', '', 'Range of all pod addresses.'),
  ),
  without(
    reasons.cloud,
    text('cloud-config', '', 'Configuration of the cloud provider.'),
    text('cloud-provider', '', 'The cloud provider.'),
    text('cluster-name', '{product}', 'The cluster’s name at the cloud provider.'),
    bool('configure-cloud-routes', 'true', 'Makes routes to nodes’ pod ranges at the cloud provider.'),
    text('external-cloud-volume-plugin', '', 'Volume plugin of an external cloud provider.'),
    duration('route-reconciliation-period', '10s', 'How often routes are compared with nodes.'),
  ),
  without(
    'All controllers start at once and wait for their caches.',
    duration('controller-start-interval', '', 'Wait between the start of two controllers.'),
  ),
  strings(
    'controllers',
    '*',
    'Controllers that run: * stands for those that are on by default, NAME adds one, -NAME takes one away.',
  ),
  featureGatesFlag,
  without(
    reasons.direct,
    int32('{prefix}-api-burst', '30', 'Requests that may be sent at once after a pause.'),
    text('{prefix}-api-content-type', 'application/vnd.{product}.protobuf', 'Form of requests to the API server.'),
    float32('{prefix}-api-qps', '20', 'Requests a second.'),
  ),
  leaderElection('{prefix}-controller-manager'),
  without(RESYNC, duration('min-resync-period', '12h0m0s', 'Shortest time after which caches are read anew.')),
  without(NOTICED, duration('node-monitor-period', '5s', 'How often the health of nodes is looked at.')),
  bool(
    'use-service-account-credentials',
    '',
    'Gives each controller a service account of its own instead of the manager’s user.',
  ),
);

const workloads = [
  ...section(
    'Deployment controller',
    int32('concurrent-deployment-syncs', '5', 'Deployments that are worked on at a time.'),
    without(
      RESYNC,
      duration('deployment-controller-sync-period', '30s', 'How often deployments are looked at without a reason.'),
    ),
  ),
  ...section(
    'Statefulset controller',
    int32('concurrent-statefulset-syncs', '5', 'Stateful sets that are worked on at a time.'),
  ),
  ...section(
    'Replicaset controller',
    int32('concurrent-replicaset-syncs', '5', 'Replica sets that are worked on at a time.'),
  ),
  ...section(
    'Replicationcontroller',
    int32('concurrent_rc_syncs', '5', 'Replication controllers that are worked on at a time.'),
  ),
  ...section(
    'Ttl-after-finished controller',
    int32('concurrent-ttl-after-finished-syncs', '5', 'Finished jobs that are looked at at a time.'),
  ),
  ...section(
    'Horizontalpodautoscaling controller',
    duration(
      'horizontal-pod-autoscaler-cpu-initialization-period',
      '5m0s',
      'How long after its start a pod’s processor use may be left out of account.',
    ),
    duration(
      'horizontal-pod-autoscaler-downscale-stabilization',
      '5m0s',
      'Looks back so far before it scales down: the highest wish of that time counts.',
    ),
    duration(
      'horizontal-pod-autoscaler-initial-readiness-delay',
      '30s',
      'How long after its start a change of a pod’s readiness counts as its first.',
    ),
    duration('horizontal-pod-autoscaler-sync-period', '15s', 'How often replicas are counted anew.'),
    float(
      'horizontal-pod-autoscaler-tolerance',
      '0.1',
      'How far use may be from the target before anything is scaled.',
    ),
    without(
      gone,
      duration('horizontal-pod-autoscaler-upscale-delay', '3m0s', 'Wait before scaling up again.', {
        deprecated: gone,
      }),
      duration('horizontal-pod-autoscaler-downscale-delay', '5m0s', 'Wait before scaling down again.', {
        deprecated: gone,
      }),
      bool('horizontal-pod-autoscaler-use-rest-clients', 'true', 'Asks the metrics API.', { deprecated: gone }),
    ),
  ),
];

const endpoints = [
  ...section(
    'Endpoint controller',
    int32('concurrent-endpoint-syncs', '5', 'Services whose endpoints are worked on at a time.'),
    duration(
      'endpoint-updates-batch-period',
      '',
      'How long changes of pods are gathered before endpoints are written.',
    ),
  ),
  ...section(
    'Endpointslice controller',
    int32('concurrent-service-endpoint-syncs', '5', 'Services whose slices are worked on at a time.'),
    duration(
      'endpointslice-updates-batch-period',
      '',
      'How long changes of pods are gathered before slices are written.',
    ),
    int32('max-endpoints-per-slice', '100', 'Most endpoints in one slice; 1000 at most.'),
  ),
  ...section(
    'Endpointslicemirroring controller',
    int32('mirroring-concurrent-service-endpoint-syncs', '5', 'Endpoints that are mirrored at a time.'),
    duration(
      'mirroring-endpointslice-updates-batch-period',
      '',
      'How long changes are gathered before mirrored slices are written.',
    ),
    int32('mirroring-max-endpoints-per-subset', '1000', 'Most endpoints of a subset that are mirrored; 1000 at most.'),
  ),
];

const housekeeping = [
  ...section(
    'Garbagecollector controller',
    int32('concurrent-gc-syncs', '20', 'Objects that the garbage collector works on at a time.'),
    bool(
      'enable-garbage-collector',
      'true',
      'Collects objects whose owners are gone; the API server’s flag of the same name has to agree.',
    ),
  ),
  ...section(
    'Namespace controller',
    int32('concurrent-namespace-syncs', '10', 'Namespaces that are emptied at a time.'),
    without(RESYNC, duration('namespace-sync-period', '5m0s', 'How often namespaces are looked at without a reason.')),
  ),
  ...section(
    'Podgc controller',
    int32(
      'terminated-pod-gc-threshold',
      '12500',
      'Ended pods that may stay before the oldest are deleted; 0 and below keep all.',
    ),
  ),
  ...section(
    'Resourcequota controller',
    int32('concurrent-resource-quota-syncs', '5', 'Quotas that are counted at a time.'),
    duration('resource-quota-sync-period', '5m0s', 'How often quotas are counted anew without a reason.'),
  ),
  ...section(
    'Serviceaccount controller',
    int32('concurrent-serviceaccount-token-syncs', '5', 'Token secrets that are worked on at a time.'),
    file('root-ca-file', '', 'Authority that is given to pods beside their token.', { supplied: 'pki/ca.crt' }),
    file('service-account-private-key-file', '', 'Key by which tokens in secrets are signed.', {
      supplied: 'pki/sa.key',
    }),
  ),
];

const nodes = [
  ...section(
    'Nodeipam controller',
    without(
      NETWORK,
      int32('node-cidr-mask-size', '', 'Size of a node’s range of pod addresses.'),
      int32('node-cidr-mask-size-ipv4', '', 'The same for IPv4 of two families.'),
      int32('node-cidr-mask-size-ipv6', '', 'The same for IPv6 of two families.'),
      text('service-cluster-ip-range', '', 'Range of service addresses, to be left out of nodes’ ranges.'),
    ),
  ),
  ...section(
    'Nodelifecycle controller',
    bool('enable-taint-manager', 'true', 'Evicts pods that do not tolerate a node’s NoExecute taints.'),
    int32(
      'large-cluster-size-threshold',
      '50',
      'Nodes from which on a zone counts as large; in a small zone that is disrupted nothing is evicted.',
    ),
    float32('node-eviction-rate', '0.1', 'Nodes a second whose pods are evicted while a zone is healthy.'),
    duration('node-monitor-grace-period', '40s', 'How long a node may be silent before it is marked as unknown.'),
    duration('node-startup-grace-period', '1m0s', 'The same for a node that has just started.'),
    duration('pod-eviction-timeout', '5m0s', 'How long pods stay on a failed node where the taint manager is off.'),
    float32(
      'secondary-node-eviction-rate',
      '0.01',
      'Nodes a second whose pods are evicted while a large zone is disrupted.',
    ),
    float32('unhealthy-zone-threshold', '0.55', 'Share of failed nodes from which on a zone counts as disrupted.'),
  ),
];

const signing = section(
  'Csrsigning controller',
  file('cluster-signing-cert-file', '', 'Authority that signs certificates of all signers without one of their own.', {
    supplied: 'pki/ca.crt',
  }),
  duration('cluster-signing-duration', '8760h0m0s', 'How long issued certificates are valid.'),
  file('cluster-signing-key-file', '', 'Key of that authority.', { supplied: 'pki/ca.key' }),
  file('cluster-signing-{prefix}-apiserver-client-cert-file', '', 'Authority of the signer {prefix}-apiserver-client.'),
  file('cluster-signing-{prefix}-apiserver-client-key-file', '', 'Key of that authority.'),
  file('cluster-signing-{agent}-client-cert-file', '', 'Authority of the signer {prefix}-apiserver-client-{agent}.'),
  file('cluster-signing-{agent}-client-key-file', '', 'Key of that authority.'),
  file('cluster-signing-{agent}-serving-cert-file', '', 'Authority of the signer {agent}-serving.'),
  file('cluster-signing-{agent}-serving-key-file', '', 'Key of that authority.'),
  file('cluster-signing-legacy-unknown-cert-file', '', 'Authority of the signer legacy-unknown.'),
  file('cluster-signing-legacy-unknown-key-file', '', 'Key of that authority.'),
  duration('experimental-cluster-signing-duration', '8760h0m0s', 'The former name of --cluster-signing-duration.', {
    deprecated: 'use --cluster-signing-duration',
    alias: 'cluster-signing-duration',
  }),
);

const volumes = [
  ...section(
    'Attachdetach controller',
    without(
      PLUGINS,
      duration('attach-detach-reconcile-sync-period', '1m0s', 'How often attached volumes are compared with nodes.'),
      bool('disable-attach-detach-reconcile-sync', '', 'Leaves that comparison out.'),
    ),
  ),
  ...section(
    'Persistentvolume-binder controller',
    without(
      PLUGINS,
      bool('enable-dynamic-provisioning', 'true', 'Makes volumes for claims of a class.'),
      bool('enable-hostpath-provisioner', '', 'Makes volumes in a directory of the host, for tests.'),
      text(
        'flex-volume-plugin-dir',
        '/usr/libexec/{product}/{agent}-plugins/volume/exec/',
        'Directory of volume plugins.',
      ),
      int32('pv-recycler-increment-timeout-nfs', '30', 'Seconds a gibibyte for recycling an NFS volume.'),
      int32('pv-recycler-minimum-timeout-hostpath', '60', 'Seconds at least for recycling a host path.'),
      int32('pv-recycler-minimum-timeout-nfs', '300', 'Seconds at least for recycling an NFS volume.'),
      text('pv-recycler-pod-template-filepath-hostpath', '', 'Pod that recycles a host path.'),
      text('pv-recycler-pod-template-filepath-nfs', '', 'Pod that recycles an NFS volume.'),
      int32('pv-recycler-timeout-increment-hostpath', '30', 'Seconds a gibibyte for recycling a host path.'),
      bool('volume-host-allow-local-loopback', 'true', 'Lets volume servers be at loopback addresses.'),
      strings('volume-host-cidr-denylist', '', 'Ranges in which volume servers may not be.'),
    ),
    without(
      RESYNC,
      duration('pvclaimbinder-sync-period', '15s', 'How often claims and volumes are compared without a reason.'),
    ),
  ),
];

export const controllerManager: readonly Flag[] = [
  ...section(
    'Debugging',
    without(
      reasons.profiling,
      bool('contention-profiling', '', 'Profiles waiting for locks.'),
      bool('profiling', 'true', 'Serves profiles at /debug/pprof/.'),
    ),
  ),
  ...generic,
  ...section(
    'Service controller',
    without(
      reasons.cloud,
      int32('concurrent-service-syncs', '1', 'Services whose load balancers are worked on at a time.'),
    ),
  ),
  ...section('Secure serving', secureServing('10257', ''), without(reasons.listening, ...servingCertificates())),
  ...section(
    'Insecure serving',
    without(
      reasons.listening,
      ip('address', '0.0.0.0', 'Address without encryption.', { deprecated: 'see --bind-address instead.' }),
      int('port', '10252', 'Port without encryption.', { deprecated: 'see --secure-port instead.' }),
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
    without(
      reasons.direct,
      text('kubeconfig', '', 'How the API server is reached.'),
      text('master', '', 'Address of the API server, over that of the configuration.'),
    ),
    without(
      gone,
      float32('deleting-pods-qps', '0.1', 'Nodes a second whose pods are deleted.', { deprecated: gone }),
      int32('deleting-pods-burst', '0', 'Nodes whose pods are deleted at once.', { deprecated: gone }),
      int32('register-retry-count', '10', 'Attempts to register a node.', { deprecated: gone }),
    ),
  ),
  ...global,
];
