/** Posts events as a list to a remote service, with a few retries while it is unavailable. */
import { post, type RemoteDeps, type RemoteEndpoint } from '../../authn/index.ts';
import type { AuditEvent } from '../event.ts';
import type { Backend } from './types.ts';

export interface WebhookOptions extends RemoteDeps {
  readonly endpoint: RemoteEndpoint;
  readonly initialBackoffMs: number;
  /** `audit.{domain}/v1`. */
  readonly apiVersion: string;
  readonly textOf: (event: AuditEvent) => string;
}

const ATTEMPTS = 5;

/** The items of a list have no kind and version of their own. */
function withoutType(text: string): object {
  const { kind: _kind, apiVersion: _apiVersion, ...event } = JSON.parse(text) as Record<string, unknown>;
  return event;
}

export function webhookBackend(options: WebhookOptions): Backend {
  const { endpoint, initialBackoffMs, apiVersion, textOf } = options;
  return {
    name: 'webhook',
    process: async (events) => {
      const items = events.map((event) => withoutType(textOf(event)));
      const list = { kind: 'EventList', apiVersion, metadata: {}, items };
      await post(options, endpoint, list, { attempts: ATTEMPTS, firstWaitMs: initialBackoffMs });
    },
    stop: () => Promise.resolve(),
  };
}
