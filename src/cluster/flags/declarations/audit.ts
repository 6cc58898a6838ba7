/** Flags of the audit log (specification, Observation: policy, log backend, webhook backend). */
import { bool, duration, file, float32, int, section, text, without, type Draft, type Flag } from '../declare.ts';

interface BackendDefaults {
  readonly mode: string;
  readonly size: string;
  readonly wait: string;
  readonly throttled: string;
  readonly qps: string;
  readonly burst: string;
}

const modes = ['batch', 'blocking', 'blocking-strict'];

const backend = (kind: string, given: BackendDefaults): Draft[] => [
  int(`audit-${kind}-batch-buffer-size`, '10000'),
  int(`audit-${kind}-batch-max-size`, given.size),
  duration(`audit-${kind}-batch-max-wait`, given.wait),
  int(`audit-${kind}-batch-throttle-burst`, given.burst),
  bool(`audit-${kind}-batch-throttle-enable`, given.throttled),
  float32(`audit-${kind}-batch-throttle-qps`, given.qps),
  text(`audit-${kind}-mode`, given.mode, { choices: modes }),
  bool(`audit-${kind}-truncate-enabled`),
  int(`audit-${kind}-truncate-max-batch-size`, '10485760'),
  int(`audit-${kind}-truncate-max-event-size`, '102400'),
  text(`audit-${kind}-version`, 'audit.{domain}/v1', {
    choices: ['audit.{domain}/v1alpha1', 'audit.{domain}/v1beta1', 'audit.{domain}/v1'],
  }),
];

export const auditing: readonly Flag[] = section(
  'Auditing',
  backend('log', { mode: 'blocking', size: '1', wait: '', throttled: '', qps: '', burst: '' }),
  without('rotation', bool('audit-log-compress')),
  int('audit-log-maxage'),
  int('audit-log-maxbackup'),
  int('audit-log-maxsize'),
  text('audit-log-format', 'json', {
    choices: ['legacy', 'json'],
  }),
  text('audit-log-path'),
  file('audit-policy-file'),
  backend('webhook', { mode: 'batch', size: '400', wait: '30s', throttled: 'true', qps: '10', burst: '15' }),
  file('audit-webhook-config-file'),
  duration('audit-webhook-initial-backoff', '10s'),
);
