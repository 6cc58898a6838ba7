/** The scheduler's flags (specification, Limits 3). Those replaced by its configuration file are deprecated. */
import { bool, file, float32, int, int32, section, text, without, type Draft, type Flag } from '../declare.ts';
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

const deprecate = (...drafts: readonly Draft[]): Draft[] =>
  drafts.map((draft) => ({ ...draft, deprecated: 'Set it in the file of --config instead.' }));

const deprecated = section(
  'Deprecated',
  deprecate(
    text('algorithm-provider', '', {
      choices: ['DefaultProvider', 'ClusterAutoscalerProvider'],
    }),
    int32('hard-pod-affinity-symmetric-weight', '1'),
    text('scheduler-name', 'default-scheduler'),
    ...without('profiling', bool('contention-profiling', 'true'), bool('profiling', 'true')),
    ...without(
      'direct',
      int32('{prefix}-api-burst', '100'),
      text('{prefix}-api-content-type', 'application/vnd.{product}.protobuf'),
      float32('{prefix}-api-qps', '50'),
      text('kubeconfig'),
    ),
    ...without(
      'alone',
      text('lock-object-name', '{prefix}-scheduler'),
      text('lock-object-namespace', '{prefix}-system'),
    ),
    file('policy-config-file'),
    ...without(
      'policy',
      text('policy-configmap'),
      text('policy-configmap-namespace', '{prefix}-system'),
      bool('use-legacy-policy-config'),
    ),
  ),
);

export const scheduler: readonly Flag[] = [
  ...section('Misc', file('config'), without('direct', text('master')), without('disk', text('write-config-to'))),
  ...section('Secure serving', secureServing('10259', ''), without('listening', ...servingCertificates())),
  ...section(
    'Insecure serving',
    without(
      'listening',
      text('address', '0.0.0.0', { deprecated: 'see --bind-address instead.' }),
      int('port', '10251', { deprecated: 'see --secure-port instead.' }),
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
