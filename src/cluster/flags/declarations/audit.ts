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

const backend = (kind: string, name: string, given: BackendDefaults): Draft[] => [
  int(
    `audit-${kind}-batch-buffer-size`,
    '10000',
    `Events that may wait to be ${name}; more are dropped. Batch mode only.`,
  ),
  int(`audit-${kind}-batch-max-size`, given.size, `Most events in one batch. Batch mode only.`),
  duration(
    `audit-${kind}-batch-max-wait`,
    given.wait,
    'Longest wait before a batch that is not full is written. Batch mode only.',
  ),
  int(
    `audit-${kind}-batch-throttle-burst`,
    given.burst,
    'Batches that may be written at once after a pause. Batch mode only.',
  ),
  bool(
    `audit-${kind}-batch-throttle-enable`,
    given.throttled,
    'Limits how often batches are written. Batch mode only.',
  ),
  float32(`audit-${kind}-batch-throttle-qps`, given.qps, 'Batches a second. Batch mode only.'),
  text(
    `audit-${kind}-mode`,
    given.mode,
    'Whether requests wait until their event is written: blocking waits, batch does not, blocking-strict fails the request when writing fails.',
    { choices: modes },
  ),
  bool(`audit-${kind}-truncate-enabled`, '', 'Cuts events and batches that are too large.'),
  int(`audit-${kind}-truncate-max-batch-size`, '10485760', 'Largest batch, in bytes.'),
  int(
    `audit-${kind}-truncate-max-event-size`,
    '102400',
    'Largest event, in bytes; bodies are dropped first, then the event.',
  ),
  text(`audit-${kind}-version`, 'audit.{domain}/v1', 'Version of the events.', {
    choices: ['audit.{domain}/v1alpha1', 'audit.{domain}/v1beta1', 'audit.{domain}/v1'],
  }),
];

export const auditing: readonly Flag[] = section(
  'Auditing',
  backend('log', 'logged', { mode: 'blocking', size: '1', wait: '', throttled: '', qps: '', burst: '' }),
  without(
    'Rotated files are kept in memory and exported as they are.',
    bool('audit-log-compress', '', 'Compresses rotated log files.'),
  ),
  int('audit-log-maxage', '', 'Days that old log files are kept; 0 sets no limit.'),
  int(
    'audit-log-maxbackup',
    '',
    'Old log files that are kept; one where nothing is said, since they are kept in memory.',
  ),
  int('audit-log-maxsize', '', 'Megabytes at which a log file is rotated; 8 where nothing is said.'),
  text('audit-log-format', 'json', 'Form of a logged event: legacy is a line of text.', {
    choices: ['legacy', 'json'],
  }),
  text('audit-log-path', '', 'Where events are logged; - is standard output. Nothing is logged where it is empty.'),
  file('audit-policy-file', '', 'Which requests are recorded at which level.'),
  backend('webhook', 'sent', { mode: 'batch', size: '400', wait: '30s', throttled: 'true', qps: '10', burst: '15' }),
  file('audit-webhook-config-file', '', 'Configuration of the webhook that events are sent to.'),
  duration('audit-webhook-initial-backoff', '10s', 'Wait before the first retry.'),
);
