/** The API server's flags (specification, Limits and Authentication). Names with the product's name are templates. */
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
  requestHeaders,
  secureServing,
  servingCertificates,
} from './shared.ts';

const gone = 'It does nothing any longer and will be removed.';

const generic = section(
  'Generic',
  ip('advertise-address'),
  without('cloud', special('cidrs', 'cloud-provider-gce-l7lb-src-cidrs', '130.211.0.0/22,35.191.0.0/16')),
  strings('cors-allowed-origins'),
  int('default-not-ready-toleration-seconds', '300'),
  int('default-unreachable-toleration-seconds', '300'),
  bool('enable-priority-and-fairness', 'true'),
  without('hostName', text('external-hostname')),
  featureGatesFlag,
  without('connection', float('goaway-chance')),
  without('ready', duration('livez-grace-period')),
  without(
    'gone',
    text('master-service-namespace', 'default', {
      deprecated: gone,
    }),
  ),
  int('max-mutating-requests-inflight', '200'),
  int('max-requests-inflight', '400'),
  int('min-request-timeout', '1800'),
  duration('request-timeout', '1m0s'),
  without('stop', duration('shutdown-delay-duration')),
  without('gone', int('target-ram-mb', '', { deprecated: gone })),
);

const etcd = section(
  'Etcd',
  without('history', int('default-watch-cache-size', '100'), bool('watch-cache', 'true'), strings('watch-cache-sizes')),
  int('delete-collection-workers', '1'),
  bool('enable-garbage-collector', 'true'),
  without('encryption', text('encryption-provider-config')),
  duration('etcd-compaction-interval', '5m0s'),
  text('etcd-cafile'),
  text('etcd-certfile'),
  text('etcd-keyfile'),
  text('etcd-prefix', '/registry'),
  strings('etcd-servers'),
  without(
    'store',
    duration('etcd-count-metric-poll-period', '1m0s'),
    duration('etcd-db-metric-poll-interval', '30s'),
    duration('etcd-healthcheck-timeout', '2s'),
    strings('etcd-servers-overrides'),
    text('storage-backend', '', { choices: ['etcd3'] }),
    text('storage-media-type', 'application/vnd.{product}.protobuf'),
  ),
);

const authentication = section(
  'Authentication',
  bool('anonymous-auth', 'true'),
  strings('api-audiences'),
  duration('authentication-token-webhook-cache-ttl', '2m0s'),
  file('authentication-token-webhook-config-file'),
  text('authentication-token-webhook-version', 'v1beta1', {
    choices: ['v1beta1', 'v1'],
  }),
  file('client-ca-file', '', { supplied: 'pki/ca.crt' }),
  bool('enable-bootstrap-token-auth'),
  file('oidc-ca-file'),
  text('oidc-client-id'),
  text('oidc-groups-claim'),
  text('oidc-groups-prefix'),
  text('oidc-issuer-url'),
  special('pairs', 'oidc-required-claim'),
  strings('oidc-signing-algs', 'RS256'),
  text('oidc-username-claim', 'sub'),
  text('oidc-username-prefix'),
  requestHeaders('', '', ''),
  bool('service-account-extend-token-expiration', 'true'),
  text('service-account-issuer', '', {
    supplied: 'https://{product}.default.svc',
  }),
  text('service-account-jwks-uri'),
  special('stringArray', 'service-account-key-file', '', { file: true, supplied: 'pki/sa.pub' }),
  bool('service-account-lookup', 'true'),
  duration('service-account-max-token-expiration'),
  file('token-auth-file'),
  strings('service-account-api-audiences', '', {
    deprecated: 'Use --api-audiences',
    alias: 'api-audiences',
  }),
);

const authorization = section(
  'Authorization',
  strings('authorization-mode', 'AlwaysAllow'),
  file('authorization-policy-file'),
  duration('authorization-webhook-cache-authorized-ttl', '5m0s'),
  duration('authorization-webhook-cache-unauthorized-ttl', '30s'),
  file('authorization-webhook-config-file'),
  text('authorization-webhook-version', 'v1beta1', {
    choices: ['v1beta1', 'v1'],
  }),
);

const misc = section(
  'Misc',
  bool('allow-privileged'),
  without('alone', int('apiserver-count', '1')),
  text('endpoint-reconciler-type', 'lease', {
    choices: ['master-count', 'lease', 'none'],
  }),
  without(
    'extensions',
    bool('enable-aggregator-routing'),
    text('proxy-client-cert-file'),
    text('proxy-client-key-file'),
  ),
  duration('event-ttl', '1h0m0s'),
  int('identity-lease-duration-seconds', '3600'),
  int('identity-lease-renew-interval-seconds', '10'),
  without(
    'agents',
    text('{agent}-certificate-authority'),
    text('{agent}-client-certificate'),
    text('{agent}-client-key'),
    strings('{agent}-preferred-address-types', 'Hostname,InternalDNS,InternalIP,ExternalDNS,ExternalIP'),
    duration('{agent}-timeout', '5s'),
    bool('{agent}-https', 'true', { deprecated: gone }),
    uint('{agent}-port', '10250', { deprecated: gone }),
    uint('{agent}-read-only-port', '10255', { deprecated: gone }),
  ),
  bool('enable-logs-handler', 'true', { deprecated: 'It will be removed.' }),
  int('{product}-service-node-port'),
  without('bandwidth', int('max-connection-bytes-per-sec')),
  file('service-account-signing-key-file', '', {
    supplied: 'pki/sa.key',
  }),
  text('service-cluster-ip-range', '', {
    supplied: '10.0.0.0/24',
  }),
  special('portRange', 'service-node-port-range', '30000-32767'),
);

const insecure = section(
  'Insecure serving',
  without(
    'listening',
    ip('insecure-bind-address', '127.0.0.1', { deprecated: gone }),
    int('insecure-port', '', { deprecated: gone }),
    ip('address', '127.0.0.1', { deprecated: gone }),
    int('port', '', { deprecated: gone }),
  ),
);

export const apiserver: readonly Flag[] = [
  ...generic,
  ...etcd,
  ...section('Secure serving', secureServing('6443', '/var/run/{product}'), servingCertificates()),
  ...insecure,
  ...auditing,
  ...section('Features', without('profiling', bool('contention-profiling'), bool('profiling', 'true'))),
  ...authentication,
  ...authorization,
  ...section('Cloud provider', without('cloud', text('cloud-config'), text('cloud-provider'))),
  ...section('API enablement', special('runtimeConfig', 'runtime-config')),
  ...section('Egress selector', without('egress', text('egress-selector-config-file'))),
  ...section(
    'Admission',
    strings('admission-control', '', {
      deprecated: 'Use --enable-admission-plugins or --disable-admission-plugins instead.',
    }),
    file('admission-control-config-file'),
    strings('disable-admission-plugins'),
    strings('enable-admission-plugins'),
  ),
  ...metrics,
  ...logs,
  ...misc,
  ...global,
];
