/** Flags of several components. */
import {
  bool,
  duration,
  file,
  int,
  ip,
  section,
  special,
  strings,
  text,
  uint,
  without,
  type Draft,
  type Flag,
} from '../declare.ts';

/** The listening address and certificates of a component. */
export const secureServing = (port: string, directory: string): Draft[] => [
  ...without(
    'listening',
    ip('bind-address', '0.0.0.0'),
    text('cert-dir', directory),
    int('http2-max-streams-per-connection'),
    bool('permit-port-sharing'),
    int('secure-port', port),
  ),
];

/** HTTPS certificates, for hosts that serve HTTPS. */
export const servingCertificates = (): Draft[] => [
  file('tls-cert-file'),
  file('tls-private-key-file'),
  ...without(
    'tls',
    strings('tls-cipher-suites'),
    text('tls-min-version', '', {
      choices: ['VersionTLS10', 'VersionTLS11', 'VersionTLS12', 'VersionTLS13'],
    }),
    special('namedCertKey', 'tls-sni-cert-key'),
  ),
];

export const delegatedAuthentication = (tolerant: boolean): Flag[] =>
  section(
    'Authentication',
    without(
      'delegated',
      text('authentication-kubeconfig'),
      bool('authentication-skip-lookup'),
      duration('authentication-token-webhook-cache-ttl', '10s'),
      bool('authentication-tolerate-lookup-failure', tolerant ? 'true' : ''),
      text('client-ca-file'),
      ...requestHeaders('x-remote-user', 'x-remote-group', 'x-remote-extra-'),
    ),
  );

/** The flags for identities in headers of an authenticating proxy. */
export const requestHeaders = (user: string, group: string, extra: string): Draft[] => [
  strings('requestheader-allowed-names'),
  file('requestheader-client-ca-file'),
  strings('requestheader-extra-headers-prefix', extra),
  strings('requestheader-group-headers', group),
  strings('requestheader-username-headers', user),
];

export const delegatedAuthorization: readonly Flag[] = section(
  'Authorization',
  without(
    'delegated',
    strings('authorization-always-allow-paths', '/healthz'),
    text('authorization-kubeconfig'),
    duration('authorization-webhook-cache-authorized-ttl', '10s'),
    duration('authorization-webhook-cache-unauthorized-ttl', '10s'),
  ),
);

export const leaderElection = (resource: string): Draft[] =>
  without(
    'alone',
    bool('leader-elect', 'true'),
    duration('leader-elect-lease-duration', '15s'),
    duration('leader-elect-renew-deadline', '10s'),
    text('leader-elect-resource-lock', 'leases', {
      choices: ['endpoints', 'configmaps', 'leases', 'endpointsleases', 'configmapsleases'],
    }),
    text('leader-elect-resource-name', resource),
    text('leader-elect-resource-namespace', '{prefix}-system'),
    duration('leader-elect-retry-period', '2s'),
  );

export const featureGatesFlag = special('featureGates', 'feature-gates');

export const metrics: readonly Flag[] = section('Metrics', without('metrics', text('show-hidden-metrics-for-version')));

export const logs: readonly Flag[] = section(
  'Logs',
  without(
    'logs',
    bool('experimental-logging-sanitization'),
    text('logging-format', 'text', { choices: ['text', 'json'] }),
  ),
);

export const global: readonly Flag[] = section(
  'Global',
  without(
    'logs',
    bool('add-dir-header'),
    bool('alsologtostderr'),
    special('traceLocation', 'log-backtrace-at', ':0'),
    text('log-dir'),
    text('log-file'),
    uint('log-file-max-size', '1800'),
    duration('log-flush-frequency', '5s'),
    bool('logtostderr', 'true'),
    bool('one-output'),
    bool('skip-headers'),
    bool('skip-log-headers'),
    special('severity', 'stderrthreshold', '2'),
    special('level', 'v', '', { shorthand: 'v' }),
    special('moduleSpec', 'vmodule'),
  ),
  without('list', bool('help', '', { shorthand: 'h' })),
  without('version', special('version', 'version')),
);
