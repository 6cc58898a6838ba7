/** Webhooks as objects: a config map with a label contains the code; its annotations set the address and faults. */
import { parseDuration, type objects } from '../schema/index.ts';

const PREFIX = 'simulation.vitrine.dev/';

/** The label that makes a config map a webhook, with the value `true`. */
const WEBHOOK_LABEL = `${PREFIX}webhook`;
/** The key of the code. */
export const HANDLER_KEY = 'handler.js';

/** Annotations of such a config map. */
export const ANNOTATIONS = {
  /** The webhook's service; by default the one with its name. */
  service: `${PREFIX}webhook-service`,
  /** Additional external hosts, separated by commas. */
  hosts: `${PREFIX}webhook-hosts`,
  /** The path that it answers; any path by default. */
  path: `${PREFIX}webhook-path`,
  /** A secret with its certificate and key; by default the cluster's CA issues one. */
  certificate: `${PREFIX}webhook-certificate`,
  /** The delay before it answers, such as `2s`. */
  delay: `${PREFIX}webhook-delay`,
  /** How it fails: a status, or one of `FAULTS`. */
  fail: `${PREFIX}webhook-fail`,
} as const;

/** Faults besides an HTTP status. */
export const FAULTS = ['reset', 'timeout', 'garbage', 'empty', 'wrong-uid'] as const;
export type Fault = (typeof FAULTS)[number] | { readonly status: number };

export interface WrittenWebhook {
  readonly namespace: string;
  readonly name: string;
  readonly service: string;
  readonly hosts: readonly string[];
  readonly path: string | undefined;
  readonly secret: string | undefined;
  readonly code: string;
  readonly delayMs: number;
  readonly fault: Fault | undefined;
  /** The error in its annotations. */
  readonly problem: string | undefined;
}

export const isWritten = (configMap: objects.ConfigMap): boolean =>
  configMap.metadata?.labels?.[WEBHOOK_LABEL] === 'true';

export function readWritten({ metadata, data = {} }: objects.ConfigMap): WrittenWebhook {
  const { name = '', namespace = '', annotations = {} } = metadata ?? {};
  const at = (key: keyof typeof ANNOTATIONS): string | undefined => annotations[ANNOTATIONS[key]]?.trim() || undefined;
  const delayMs = parseDuration(at('delay') ?? '0s');
  const fault = faultOf(at('fail'));
  return {
    namespace,
    name,
    service: at('service') ?? name,
    hosts: (at('hosts') ?? '')
      .split(',')
      .map((host) => host.trim())
      .filter((host) => host !== ''),
    path: at('path'),
    secret: at('certificate'),
    code: data[HANDLER_KEY] ?? '',
    delayMs: Math.max(0, delayMs ?? 0),
    fault: fault === 'unknown' ? undefined : fault,
    problem:
      delayMs === undefined
        ? `${ANNOTATIONS.delay}: ${JSON.stringify(at('delay'))} is no duration such as 2s`
        : fault === 'unknown'
          ? `${ANNOTATIONS.fail}: ${JSON.stringify(at('fail'))} is neither a status nor one of ${FAULTS.join(', ')}`
          : undefined,
  };
}

function faultOf(text: string | undefined): Fault | 'unknown' | undefined {
  if (text === undefined) return undefined;
  const word = FAULTS.find((fault) => fault === text);
  if (word) return word;
  const status = /^[2-5]\d\d$/.test(text) ? Number(text) : undefined;
  return status === undefined ? 'unknown' : { status };
}
