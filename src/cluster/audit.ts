/** Creates the auditor from the API server's flags and files (specification, Events 6 and Limits). */
import {
  auditEvents,
  buffered,
  createAuditor,
  eventText,
  legacyText,
  logBackend,
  LogFiles,
  parsePolicy,
  truncating,
  webhookBackend,
  type AuditEvent,
  type Auditor,
  type AuditVersion,
  type Backend,
  type OnLost,
  type Policy,
  type Rotation,
} from '../audit/index.ts';
import { readEndpoint, type RemoteFetch } from '../authn/index.ts';
import type { Names } from '../names/index.ts';
import { carriesSecrets, parseDuration } from '../schema/index.ts';
import { must, type Clock, type Metrics } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import { fileOf } from './flags/fileOf.ts';

export interface AuditSettings {
  readonly names: Names;
  readonly clock: Clock;
  readonly tracer: Tracer;
  readonly metrics: Metrics;
  readonly flag: (name: string) => string | undefined;
  readonly files: Readonly<Record<string, string>>;
  /** Reaches the webhook. */
  readonly fetch: RemoteFetch;
  /** Called for lost events. */
  readonly onLost: OnLost;
}

/** Undefined without a policy or backend: then nothing is recorded. The flags and files were validated before. */
export function startAudit(settings: AuditSettings): Auditor | undefined {
  const { names, clock, tracer, metrics, onLost } = settings;
  const policy = policyOf(settings);
  const files = new LogFiles(clock);
  const backends = [logOf(settings, files), webhookOf(settings)].filter((one) => one !== undefined);
  if (!policy || backends.length === 0) return undefined;
  const onEvent = (event: AuditEvent): void => {
    metrics.add(auditEvents, {});
    if (tracer.wants('audit'))
      tracer.emit({ topic: 'audit', event: JSON.parse(eventText(withoutBodies(event), names)) as unknown });
  };
  const strict = ['log', 'webhook'].some((name) => settings.flag(`audit-${name}-mode`) === 'blocking-strict');
  return createAuditor({ clock, policy, backends, strict, files, onEvent, onLost });
}

/** A log contains what its policy selects; events for inspection contain no secrets. */
function withoutBodies(event: AuditEvent): AuditEvent {
  const { resource = '', subresource = '' } = event.objectRef ?? {};
  if (!carriesSecrets({ resource, subresource })) return event;
  const { requestObject: _, responseObject: __, ...rest } = event;
  const annotations = Object.entries(event.annotations).filter(([key]) => !key.startsWith('patch.'));
  return { ...rest, annotations: Object.fromEntries(annotations) };
}

function policyOf(settings: AuditSettings): Policy | undefined {
  const text = fileOf(settings, 'audit-policy-file');
  return text === undefined ? undefined : parsePolicy(text, settings.names);
}

const MEGABYTE = 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Files are in memory here: without `--audit-log-maxsize` they rotate earlier than on disk, and few are kept. */
const DEFAULT_LOG_MEGABYTES = 8;
const DEFAULT_LOG_BACKUPS = 1;

function logOf(settings: AuditSettings, files: LogFiles): Backend | undefined {
  const { flag, names } = settings;
  const path = flag('audit-log-path') ?? '';
  if (path === '') return undefined;
  const number = (name: string): number => Number(flag(`audit-log-${name}`) ?? '0');
  const rotation: Rotation = {
    maxBytes: (number('maxsize') || DEFAULT_LOG_MEGABYTES) * MEGABYTE,
    maxBackups: number('maxbackup') || DEFAULT_LOG_BACKUPS,
    maxAgeMs: number('maxage') * DAY_MS,
  };
  const version = versionOf(settings, 'log');
  const textOf =
    flag('audit-log-format') === 'legacy' ? legacyText : (event: AuditEvent) => eventText(event, names, version);
  return finished(settings, 'log', logBackend({ files, path: fileName(path), rotation, textOf }), textOf);
}

/** `-` is the standard output, which a tab does not have. */
const fileName = (path: string): string => (path === '-' ? 'stdout' : (path.split('/').pop() ?? path));

function webhookOf(settings: AuditSettings): Backend | undefined {
  const { clock, fetch, names, flag } = settings;
  const text = fileOf(settings, 'audit-webhook-config-file');
  if (text === undefined) return undefined;
  const version = versionOf(settings, 'webhook');
  const textOf = (event: AuditEvent): string => eventText(event, names, version);
  const backend = webhookBackend({
    clock,
    fetch,
    endpoint: readEndpoint(text, settings.files),
    apiVersion: names.fill(`audit.{domain}/${version}`),
    initialBackoffMs: durationOf(flag('audit-webhook-initial-backoff')),
    textOf,
  });
  return finished(settings, 'webhook', backend, textOf);
}

/** Truncates large events, then batches events, unless requests wait for them. */
function finished(
  settings: AuditSettings,
  name: 'log' | 'webhook',
  backend: Backend,
  textOf: (event: AuditEvent) => string,
): Backend {
  const { names, clock, onLost } = settings;
  const flag = (end: string): string | undefined => settings.flag(`audit-${name}-${end}`);
  const cut =
    flag('truncate-enabled') === 'true'
      ? truncating(backend, {
          maxEventBytes: Number(flag('truncate-max-event-size')),
          maxBatchBytes: Number(flag('truncate-max-batch-size')),
          mark: names.fill('audit.{domain}/truncated'),
          textOf,
          onLost,
        })
      : backend;
  if (flag('mode') !== 'batch') return cut;
  return buffered(cut, {
    clock,
    bufferSize: Number(flag('batch-buffer-size')),
    maxBatchSize: Number(flag('batch-max-size')),
    maxWaitMs: durationOf(flag('batch-max-wait')),
    throttle:
      flag('batch-throttle-enable') === 'true'
        ? { qps: Number(flag('batch-throttle-qps')), burst: Number(flag('batch-throttle-burst')) }
        : undefined,
    onLost,
  });
}

function versionOf({ flag, names }: AuditSettings, name: 'log' | 'webhook'): AuditVersion {
  const text = flag(`audit-${name}-version`);
  const version = VERSIONS.find((one) => names.fill(`audit.{domain}/${one}`) === text);
  return must(version, 'a flag with choices has one of them');
}

const VERSIONS = ['v1', 'v1beta1', 'v1alpha1'] as const;

const durationOf = (text: string | undefined): number => parseDuration(text ?? '') ?? 0;
