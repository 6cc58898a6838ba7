/** Flags that more than one component has. */
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

export const reasons = {
  listening: 'A tab listens on no port: requests come by fetch or over the host’s own server.',
  cloud: 'There is no cloud behind this cluster.',
  store: 'Objects are kept in the tab’s own storage, not in a store behind an address.',
  logs: 'Components write no logs: what they decide is in the trace.',
  profiling: 'The browser’s own profiler shows where time goes.',
  delegated: 'The component serves nothing, so nobody has to be authenticated or authorized by it.',
  alone: 'There is one of each component, so nothing has to be elected.',
  direct: 'Components share one process with the API server and reach it directly, at full speed.',
  agents: 'Simulated nodes are asked directly, without a connection of their own.',
} as const;

/** Where a component listens, and with which certificates. */
export const secureServing = (port: string, directory: string): Draft[] => [
  ...without(
    reasons.listening,
    ip('bind-address', '0.0.0.0', 'Address to listen on for HTTPS.'),
    text('cert-dir', directory, 'Directory for serving certificates that are made when none is given.'),
    int(
      'http2-max-streams-per-connection',
      '',
      'Streams that a client may open in one HTTP/2 connection; 0 leaves it to the runtime.',
    ),
    bool('permit-port-sharing', '', 'Lets several processes listen on the same port.'),
    int('secure-port', port, 'Port for HTTPS.'),
  ),
];

/** Certificates for HTTPS, where a host serves it. */
export const servingCertificates = (): Draft[] => [
  file('tls-cert-file', '', 'Serving certificate, with intermediate ones after it.'),
  file('tls-private-key-file', '', 'Key of the serving certificate.'),
  ...without(
    'The host that serves TLS keeps to its runtime’s own settings, and has one certificate.',
    strings('tls-cipher-suites', '', 'Cipher suites that may be used; the runtime’s own where none is named.'),
    text('tls-min-version', '', 'The lowest TLS version.', {
      choices: ['VersionTLS10', 'VersionTLS11', 'VersionTLS12', 'VersionTLS13'],
    }),
    special(
      'namedCertKey',
      'tls-sni-cert-key',
      '',
      'A certificate and its key for certain server names: CERT,KEY:NAME,…; may be given repeatedly.',
    ),
  ),
];

export const delegatedAuthentication = (tolerant: boolean): Flag[] =>
  section(
    'Authentication',
    without(
      reasons.delegated,
      text('authentication-kubeconfig', '', 'Configuration with which tokens are reviewed by the API server.'),
      bool('authentication-skip-lookup', '', 'Does not look up missing settings in the cluster.'),
      duration('authentication-token-webhook-cache-ttl', '10s', 'How long reviews of tokens are remembered.'),
      bool(
        'authentication-tolerate-lookup-failure',
        tolerant ? 'true' : '',
        'Takes requests as anonymous when settings cannot be looked up.',
      ),
      text('client-ca-file', '', 'Authorities of client certificates.'),
      ...requestHeaders('x-remote-user', 'x-remote-group', 'x-remote-extra-'),
    ),
  );

/** The flags for identities that an authenticating proxy writes into headers. */
export const requestHeaders = (user: string, group: string, extra: string): Draft[] => [
  strings(
    'requestheader-allowed-names',
    '',
    'Common names of certificates whose bearers may write identity headers; any that the authority signed where none is named.',
  ),
  file('requestheader-client-ca-file', '', 'Authority of the certificates whose bearers may write identity headers.'),
  strings(
    'requestheader-extra-headers-prefix',
    extra,
    'Prefixes of the headers that hold extra values of a user, such as X-Remote-Extra-.',
  ),
  strings('requestheader-group-headers', group, 'Headers that hold groups, such as X-Remote-Group.'),
  strings('requestheader-username-headers', user, 'Headers that hold the user’s name, such as X-Remote-User.'),
];

export const delegatedAuthorization: readonly Flag[] = section(
  'Authorization',
  without(
    reasons.delegated,
    strings('authorization-always-allow-paths', '/healthz', 'Paths that everybody may ask for.'),
    text('authorization-kubeconfig', '', 'Configuration with which requests are reviewed by the API server.'),
    duration('authorization-webhook-cache-authorized-ttl', '10s', 'How long an allowing answer is remembered.'),
    duration('authorization-webhook-cache-unauthorized-ttl', '10s', 'How long a denying answer is remembered.'),
  ),
);

export const leaderElection = (resource: string): Draft[] =>
  without(
    reasons.alone,
    bool('leader-elect', 'true', 'Has instances of the component elect the one that works.'),
    duration(
      'leader-elect-lease-duration',
      '15s',
      'How long others wait before they take over from a leader that was not heard of.',
    ),
    duration('leader-elect-renew-deadline', '10s', 'How long a leader tries to renew its lease before it stops.'),
    text('leader-elect-resource-lock', 'leases', 'The kind of object that holds the lock.', {
      choices: ['endpoints', 'configmaps', 'leases', 'endpointsleases', 'configmapsleases'],
    }),
    text('leader-elect-resource-name', resource, 'Name of the object that holds the lock.'),
    text('leader-elect-resource-namespace', '{prefix}-system', 'Namespace of the object that holds the lock.'),
    duration('leader-elect-retry-period', '2s', 'Wait between two attempts.'),
  );

export const featureGatesFlag = special(
  'featureGates',
  'feature-gates',
  '',
  'Switches features of alpha and beta stage: Name=true,Other=false. AllAlpha and AllBeta switch all of a stage that are not named.',
);

export const metrics: readonly Flag[] = section(
  'Metrics',
  without(
    'No metric is hidden.',
    text('show-hidden-metrics-for-version', '', 'Shows metrics that were hidden in this previous minor version.'),
  ),
);

export const logs: readonly Flag[] = section(
  'Logs',
  without(
    reasons.logs,
    bool('experimental-logging-sanitization', '', 'Keeps values that are marked as secret out of logs.'),
    text('logging-format', 'text', 'Form of log lines.', { choices: ['text', 'json'] }),
  ),
);

export const global: readonly Flag[] = section(
  'Global',
  without(
    reasons.logs,
    bool('add-dir-header', '', 'Adds the directory to log headers.'),
    bool('alsologtostderr', '', 'Logs to standard error as well as to files.'),
    special('traceLocation', 'log-backtrace-at', ':0', 'Adds a stack trace when logging reaches FILE:LINE.'),
    text('log-dir', '', 'Directory of log files.'),
    text('log-file', '', 'The one log file to write to.'),
    uint('log-file-max-size', '1800', 'Largest size of a log file, in megabytes.'),
    duration('log-flush-frequency', '5s', 'Longest time between two flushes of the log.'),
    bool('logtostderr', 'true', 'Logs to standard error instead of files.'),
    bool('one-output', '', 'Writes logs only to the level that they are of.'),
    bool('skip-headers', '', 'Leaves headers out of log lines.'),
    bool('skip-log-headers', '', 'Leaves headers out of log files.'),
    special('severity', 'stderrthreshold', '2', 'Messages of this severity and above go to standard error.'),
    special('level', 'v', '', 'How much is logged.', { shorthand: 'v' }),
    special('moduleSpec', 'vmodule', '', 'How much is logged by files that match: PATTERN=N,….'),
  ),
  without(
    'The list of flags is in the settings of the page.',
    bool('help', '', 'Shows the flags.', { shorthand: 'h' }),
  ),
  without('Ask for /version.', special('version', 'version', '', 'Shows the version.')),
);
