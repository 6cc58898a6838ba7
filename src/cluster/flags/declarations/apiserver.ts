/** The API server's flags (specification, Limits and Authentication). Names that hold the product's own are templates. */
import {
  bool,
  duration,
  file,
  float,
  int,
  ip,
  section,
  special,
  strings,
  text,
  uint,
  without,
  type Flag,
} from '../declare.ts';
import { auditing } from './audit.ts';
import {
  featureGatesFlag,
  global,
  logs,
  metrics,
  reasons,
  requestHeaders,
  secureServing,
  servingCertificates,
} from './shared.ts';

const gone = 'It does nothing any longer and will be removed.';
const HISTORY = 'Watches read the history that storage keeps for all types alike, so there is no cache to size.';

const generic = section(
  'Generic',
  ip('advertise-address', '', 'Address that the cluster’s members are told to reach the API server at.'),
  without(
    reasons.cloud,
    special(
      'cidrs',
      'cloud-provider-gce-l7lb-src-cidrs',
      '130.211.0.0/22,35.191.0.0/16',
      'Ranges from which a cloud’s load balancers check health.',
    ),
  ),
  without(
    'The page asks from its own origin.',
    strings('cors-allowed-origins', '', 'Origins (regular expressions) whose pages may ask.'),
  ),
  int(
    'default-not-ready-toleration-seconds',
    '300',
    'How long pods without a toleration of their own tolerate a node that is not ready.',
  ),
  int(
    'default-unreachable-toleration-seconds',
    '300',
    'How long pods without a toleration of their own tolerate a node that is unreachable.',
  ),
  bool(
    'enable-priority-and-fairness',
    'true',
    'Queues requests by priority level and flow instead of counting those in flight; the gate APIPriorityAndFairness has to be on as well.',
  ),
  without(
    'Nothing links to the API server by its host name.',
    text('external-hostname', '', 'Host name for addresses of this API server that are given out.'),
  ),
  featureGatesFlag,
  without(
    'One connection per page carries everything; there is no balancer behind which it could be opened anew.',
    float(
      'goaway-chance',
      '',
      'Share of HTTP/2 requests that are answered with the wish to reconnect; 0.02 at most, 0 switches it off.',
    ),
  ),
  without(
    'The cluster answers only when it is ready.',
    duration('livez-grace-period', '', 'How long starting up may take before liveness fails.'),
  ),
  without(
    gone,
    text('master-service-namespace', 'default', 'Namespace from which the API’s own services are injected into pods.', {
      deprecated: gone,
    }),
  ),
  int(
    'max-mutating-requests-inflight',
    '200',
    'Requests that change something and are worked on at a time; more are refused with 429. 0 sets no limit.',
  ),
  int(
    'max-requests-inflight',
    '400',
    'Requests that only read and are worked on at a time; more are refused with 429. 0 sets no limit.',
  ),
  int(
    'min-request-timeout',
    '1800',
    'Seconds that a watch stays open at least; the end is chosen at random up to twice as late.',
  ),
  duration('request-timeout', '1m0s', 'How long a request may take, unless it is a watch or another long one.'),
  without(
    'The cluster stops at once: nobody balances requests between instances.',
    duration('shutdown-delay-duration', '', 'How long requests are still served after the order to stop.'),
  ),
  without(gone, int('target-ram-mb', '', 'Memory by which caches are sized.', { deprecated: gone })),
);

const etcd = section(
  'Etcd',
  without(
    HISTORY,
    int(
      'default-watch-cache-size',
      '100',
      'Events that are remembered for each type; 0 switches the watch cache off for types without a size of their own.',
    ),
    bool('watch-cache', 'true', 'Keeps recent events in memory for watches.'),
    strings('watch-cache-sizes', '', 'Sizes of the watch cache: RESOURCE#SIZE,….'),
  ),
  int('delete-collection-workers', '1', 'Objects that a delete of a collection removes at a time.'),
  bool(
    'enable-garbage-collector',
    'true',
    'Has deletions wait for dependents or orphan them; the controller manager’s flag of the same name has to agree.',
  ),
  without(
    'The tab’s storage is as private as the browser’s profile; objects are not encrypted in it.',
    text('encryption-provider-config', '', 'Which resources are encrypted in storage, and how.'),
  ),
  duration(
    'etcd-compaction-interval',
    '5m0s',
    'History older than this is forgotten, and watches that begin there are told so; 0 keeps everything.',
  ),
  without(
    reasons.store,
    text('etcd-cafile', '', 'Authority of the store’s certificate.'),
    text('etcd-certfile', '', 'Certificate to show to the store.'),
    duration('etcd-count-metric-poll-period', '1m0s', 'How often objects are counted for metrics.'),
    duration('etcd-db-metric-poll-interval', '30s', 'How often the store’s size is asked for.'),
    duration('etcd-healthcheck-timeout', '2s', 'How long the store may take to say that it is well.'),
    text('etcd-keyfile', '', 'Key of the certificate to show to the store.'),
    text('etcd-prefix', '/registry', 'Beginning of every key in the store.'),
    strings('etcd-servers', '', 'Addresses of the store.'),
    strings('etcd-servers-overrides', '', 'Stores of single resources: GROUP/RESOURCE#ADDRESS;ADDRESS.'),
    text('storage-backend', '', 'The kind of store.', { choices: ['etcd3'] }),
    text('storage-media-type', 'application/vnd.{product}.protobuf', 'Form in which objects are stored.'),
  ),
);

const authentication = section(
  'Authentication',
  bool(
    'anonymous-auth',
    'true',
    'Lets requests without credentials in, as system:anonymous in the group system:unauthenticated.',
  ),
  strings(
    'api-audiences',
    '',
    'Audiences of tokens that this API server accepts; the issuer of service account tokens where none is named.',
  ),
  duration('authentication-token-webhook-cache-ttl', '2m0s', 'How long answers of the token webhook are remembered.'),
  file(
    'authentication-token-webhook-config-file',
    '',
    'Configuration of the webhook that is asked about bearer tokens.',
  ),
  text('authentication-token-webhook-version', 'v1beta1', 'Version of the token review that the webhook is sent.', {
    choices: ['v1beta1', 'v1'],
  }),
  file(
    'client-ca-file',
    '',
    'Authorities of client certificates: the common name is the user, organizations are groups.',
    { supplied: 'pki/ca.crt' },
  ),
  bool('enable-bootstrap-token-auth', '', 'Accepts bootstrap tokens, which are secrets in the system namespace.'),
  file('oidc-ca-file', '', 'Authority of the issuer’s serving certificate.'),
  text('oidc-client-id', '', 'The audience that an issuer’s tokens must be for.'),
  text('oidc-groups-claim', '', 'Claim that holds the groups.'),
  text('oidc-groups-prefix', '', 'Is put before each group.'),
  text('oidc-issuer-url', '', 'Address of the issuer whose tokens are accepted; https only.'),
  special(
    'pairs',
    'oidc-required-claim',
    '',
    'A claim and the value that it must have: KEY=VALUE; may be given repeatedly.',
  ),
  strings('oidc-signing-algs', 'RS256', 'Algorithms by which tokens may be signed.'),
  text('oidc-username-claim', 'sub', 'Claim that holds the user’s name.'),
  text('oidc-username-prefix', '', 'Is put before the user’s name; - puts nothing there.'),
  requestHeaders('', '', ''),
  bool(
    'service-account-extend-token-expiration',
    'true',
    'Lets tokens that were injected into pods live for up to a year, so that old clients go on.',
  ),
  text('service-account-issuer', '', 'Issuer of service account tokens; checked when a token is shown.', {
    supplied: 'https://{product}.default.svc',
  }),
  text('service-account-jwks-uri', '', 'Where the keys of service account tokens are published; https only.'),
  special(
    'stringArray',
    'service-account-key-file',
    '',
    'Public keys by which service account tokens are checked; may be given repeatedly.',
    { file: true, supplied: 'pki/sa.pub' },
  ),
  bool('service-account-lookup', 'true', 'Checks that the account and the secret of a token still exist.'),
  duration('service-account-max-token-expiration', '', 'Longest life of a service account token; 0 sets no limit.'),
  file('token-auth-file', '', 'Table of bearer tokens: token,user,uid,"group,…".'),
  strings('service-account-api-audiences', '', 'The former name of --api-audiences.', {
    deprecated: 'Use --api-audiences',
    alias: 'api-audiences',
  }),
);

const authorization = section(
  'Authorization',
  strings(
    'authorization-mode',
    'AlwaysAllow',
    'Modules that are asked in this order; the first that has an opinion decides: AlwaysAllow, AlwaysDeny, ABAC, Webhook, RBAC, Node.',
  ),
  file('authorization-policy-file', '', 'Policy of the module ABAC, one JSON object on a line.'),
  duration(
    'authorization-webhook-cache-authorized-ttl',
    '5m0s',
    'How long the webhook’s allowing answers are remembered.',
  ),
  duration(
    'authorization-webhook-cache-unauthorized-ttl',
    '30s',
    'How long the webhook’s other answers are remembered.',
  ),
  file('authorization-webhook-config-file', '', 'Configuration of the webhook that the module Webhook asks.'),
  text('authorization-webhook-version', 'v1beta1', 'Version of the access review that the webhook is sent.', {
    choices: ['v1beta1', 'v1'],
  }),
);

const misc = section(
  'Misc',
  bool('allow-privileged', '', 'Allows privileged containers.'),
  without(reasons.alone, int('apiserver-count', '1', 'How many API servers there are.')),
  text(
    'endpoint-reconciler-type',
    'lease',
    'How the API servers agree on the endpoints of their service; none gives it none.',
    {
      choices: ['master-count', 'lease', 'none'],
    },
  ),
  without(
    'Extension API servers are not called over a network.',
    bool('enable-aggregator-routing', '', 'Reaches extension API servers by endpoint instead of by service address.'),
    text('proxy-client-cert-file', '', 'Certificate to show to extension API servers.'),
    text('proxy-client-key-file', '', 'Key of that certificate.'),
  ),
  duration('event-ttl', '1h0m0s', 'How long events are kept.'),
  int(
    'identity-lease-duration-seconds',
    '3600',
    'Seconds that the lease of an API server lasts; the gate APIServerIdentity has to be on.',
  ),
  int('identity-lease-renew-interval-seconds', '10', 'Seconds between two renewals of that lease.'),
  without(
    reasons.agents,
    text('{agent}-certificate-authority', '', 'Authority of the node agents’ serving certificates.'),
    text('{agent}-client-certificate', '', 'Certificate to show to node agents.'),
    text('{agent}-client-key', '', 'Key of that certificate.'),
    strings(
      '{agent}-preferred-address-types',
      'Hostname,InternalDNS,InternalIP,ExternalDNS,ExternalIP',
      'Which of a node’s addresses are tried first.',
    ),
    duration('{agent}-timeout', '5s', 'How long an operation of a node agent may take.'),
    bool('{agent}-https', 'true', 'Speaks https with node agents.', { deprecated: gone }),
    uint('{agent}-port', '10250', 'Port of node agents.', { deprecated: gone }),
    uint('{agent}-read-only-port', '10255', 'Read-only port of node agents.', { deprecated: gone }),
  ),
  int('{product}-service-node-port', '', 'Node port of the API’s own service; 0 makes it a cluster address only.'),
  without(
    'A tab has no bandwidth of its own to share.',
    int('max-connection-bytes-per-sec', '', 'Limits the bytes a second of long requests; 0 sets no limit.'),
  ),
  file('service-account-signing-key-file', '', 'Key by which service account tokens are signed.', {
    supplied: 'pki/sa.key',
  }),
  text('service-cluster-ip-range', '', 'Range of addresses of services; at most 20 bits of freedom.', {
    supplied: '10.0.0.0/24',
  }),
  special('portRange', 'service-node-port-range', '30000-32767', 'Ports of services of type NodePort.'),
);

const insecure = section(
  'Insecure serving',
  without(
    reasons.listening,
    ip('insecure-bind-address', '127.0.0.1', 'Address without encryption.', { deprecated: gone }),
    int('insecure-port', '', 'Port without encryption; only 0 is left.', { deprecated: gone }),
    ip('address', '127.0.0.1', 'The former name of --insecure-bind-address.', { deprecated: gone }),
    int('port', '', 'The former name of --insecure-port.', { deprecated: gone }),
  ),
);

export const apiserver: readonly Flag[] = [
  ...generic,
  ...etcd,
  ...section('Secure serving', secureServing('6443', '/var/run/{product}'), servingCertificates()),
  ...insecure,
  ...auditing,
  ...section(
    'Features',
    without(
      reasons.profiling,
      bool('contention-profiling', '', 'Profiles waiting for locks.'),
      bool('profiling', 'true', 'Serves profiles at /debug/pprof/.'),
    ),
  ),
  ...authentication,
  ...authorization,
  ...section(
    'Cloud provider',
    without(
      reasons.cloud,
      text('cloud-config', '', 'Configuration of the cloud provider.'),
      text('cloud-provider', '', 'The cloud provider.'),
    ),
  ),
  ...section(
    'API enablement',
    special(
      'runtimeConfig',
      'runtime-config',
      '',
      'Switches API versions: GROUP/VERSION=true, api/all, api/ga, api/beta, api/alpha; a key alone switches on.',
    ),
  ),
  ...section(
    'Egress selector',
    without(
      'The page reaches what the browser reaches.',
      text('egress-selector-config-file', '', 'By which ways the API server reaches nodes, the store and others.'),
    ),
  ),
  ...section(
    'Admission',
    strings(
      'admission-control',
      '',
      'The plugins that run, instead of the default set; in this version the order is fixed.',
      { deprecated: 'Use --enable-admission-plugins or --disable-admission-plugins instead.' },
    ),
    file('admission-control-config-file', '', 'Configuration of admission plugins.'),
    strings('disable-admission-plugins', '', 'Plugins to switch off that are on by default.'),
    strings('enable-admission-plugins', '', 'Plugins to switch on besides those that are on by default.'),
  ),
  ...metrics,
  ...logs,
  ...misc,
  ...global,
];
