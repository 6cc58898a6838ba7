/** The scheduler's flags (specification, Limits 3). Those that its configuration file replaced are deprecated. */
import { bool, file, float32, int, int32, section, text, without, type Draft, type Flag } from '../declare.ts';
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

const POLICY = 'Policies of the old form are not read; profiles in the file of --config say the same.';

const deprecate = (...drafts: readonly Draft[]): Draft[] =>
  drafts.map((draft) => ({ ...draft, deprecated: 'Set it in the file of --config instead.' }));

const deprecated = section(
  'Deprecated',
  deprecate(
    text('algorithm-provider', '', 'A set of plugins by name.', {
      choices: ['DefaultProvider', 'ClusterAutoscalerProvider'],
    }),
    int32(
      'hard-pod-affinity-symmetric-weight',
      '1',
      'Weight, 0 to 100, of other pods’ required affinity for a pod that does not ask for it.',
    ),
    text('scheduler-name', 'default-scheduler', 'Pods that name this scheduler are its own.'),
    ...without(
      reasons.profiling,
      bool('contention-profiling', 'true', 'Profiles waiting for locks.'),
      bool('profiling', 'true', 'Serves profiles at /debug/pprof/.'),
    ),
    ...without(
      reasons.direct,
      int32('{prefix}-api-burst', '100', 'Requests that may be sent at once after a pause.'),
      text('{prefix}-api-content-type', 'application/vnd.{product}.protobuf', 'Form of requests to the API server.'),
      float32('{prefix}-api-qps', '50', 'Requests a second.'),
      text('kubeconfig', '', 'How the API server is reached.'),
    ),
    ...without(
      reasons.alone,
      text('lock-object-name', '{prefix}-scheduler', 'Name of the object that holds the lock.'),
      text('lock-object-namespace', '{prefix}-system', 'Namespace of the object that holds the lock.'),
    ),
    ...without(
      POLICY,
      text('policy-config-file', '', 'File with a policy.'),
      text('policy-configmap', '', 'ConfigMap with a policy.'),
      text('policy-configmap-namespace', '{prefix}-system', 'Namespace of that ConfigMap.'),
      bool('use-legacy-policy-config', '', 'Prefers the file over the ConfigMap.'),
    ),
  ),
);

export const scheduler: readonly Flag[] = [
  ...section(
    'Misc',
    file(
      'config',
      '',
      'Configuration of the scheduler: profiles, their plugins and what they are told. Flags that it replaces are ignored then.',
    ),
    without(reasons.direct, text('master', '', 'Address of the API server, over that of the configuration.')),
    without(
      'There is no disk to write to.',
      text('write-config-to', '', 'Writes the configuration that is in force to a file and ends.'),
    ),
  ),
  ...section('Secure serving', secureServing('10259', ''), without(reasons.listening, ...servingCertificates())),
  ...section(
    'Insecure serving',
    without(
      reasons.listening,
      text('address', '0.0.0.0', 'Address without encryption.', { deprecated: 'see --bind-address instead.' }),
      int('port', '10251', 'Port without encryption; 0 switches it off.', { deprecated: 'see --secure-port instead.' }),
    ),
  ),
  ...delegatedAuthentication(true),
  ...delegatedAuthorization,
  ...deprecated,
  ...section('Leader election', leaderElection('{prefix}-scheduler')),
  ...section('Feature gate', featureGatesFlag),
  ...metrics,
  ...logs,
  ...global,
];
