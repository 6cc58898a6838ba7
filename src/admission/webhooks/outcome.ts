/** The effect of a webhook's answer or failure: refusals, warnings, annotations, metrics. */
import { checkQualifiedName, status, StatusError, type Status } from '../../schema/index.ts';
import { countWebhook, countWebhookRejection } from '../metrics.ts';
import type { AdmissionAttributes, PluginDeps } from '../types.ts';
import { call, type Exchange } from './call.ts';
import { tellOfCall } from './tell.ts';
import type { Invocation, Webhook } from './match.ts';
import { CallError } from './post.ts';
import type { Verdict } from './review.ts';

/** The webhook refused the request. */
export class Rejection extends Error {
  override name = 'Rejection';
  readonly refused: StatusError;
  /** The code in the webhook's answer. */
  readonly code: number;

  constructor(name: string, said: Partial<Status> | undefined) {
    const refused = refusal(name, said);
    super(refused.message);
    this.refused = refused;
    this.code = Math.max(said?.code ?? 0, refused.status.code);
  }
}

/** The admission step of a call, as metrics name it. */
export type Step = 'admit' | 'validating';

/**
 * Calls a webhook and runs `then` with its answer; counts the result. Returns undefined if the webhook failed and its
 * policy ignores that; throws a StatusError if the request ends.
 */
export async function consult<T>(
  invocation: Invocation,
  attributes: AdmissionAttributes,
  deps: PluginDeps,
  step: Step,
  then: (verdict: Verdict) => T | Promise<T>,
): Promise<T | undefined> {
  const { webhook } = invocation;
  const began = deps.clock.now();
  const about = { name: webhook.name, type: step, operation: attributes.operation };
  const exchange: Exchange = {};
  let refused: StatusError | undefined;
  let failure: unknown;
  try {
    requireDryRun(webhook, attributes);
    const verdict = await call(invocation, attributes, deps, step === 'admit', exchange);
    note(webhook, verdict, attributes);
    if (!verdict.allowed) throw new Rejection(webhook.name, verdict.status);
    return await then(verdict);
  } catch (error) {
    failure = error;
    refused = refusedBy(webhook, error, (kind, code) => countWebhookRejection(deps.metrics, about, kind, code));
  } finally {
    const call = {
      exchange,
      failure,
      rejected: failure instanceof Rejection,
      ignored: failure !== undefined && !refused,
      began,
    };
    tellOfCall(invocation, attributes, deps, call);
    countWebhook(deps.metrics, about, refused !== undefined, (deps.clock.now() - began) / 1000);
  }
  if (refused) throw refused;
  return undefined;
}

type Count = (kind: Parameters<typeof countWebhookRejection>[2], code: number) => void;

/** The client's error for a failure; undefined if the policy ignores it. */
function refusedBy(webhook: Webhook, error: unknown, count: Count): StatusError | undefined {
  if (error instanceof Rejection) {
    count('no_error', error.code);
    return error.refused;
  }
  if (error instanceof CallError) {
    if (webhook.failurePolicy === 'Ignore') return undefined;
    count('calling_webhook_error', 0);
    return status.internalError(`failed calling webhook ${JSON.stringify(webhook.name)}: ${error.message}`);
  }
  count('apiserver_internal_error', 0);
  if (error instanceof StatusError) return error;
  throw error;
}

/** Adds warnings for the client and annotations for the audit log; invalid annotations are skipped. */
function note(webhook: Webhook, { warnings, auditAnnotations }: Verdict, attributes: AdmissionAttributes): void {
  for (const warning of warnings) if (warning !== '') attributes.addWarning(warning);
  for (const [name, value] of Object.entries(auditAnnotations)) {
    const key = `${webhook.name}/${name}`;
    if (checkQualifiedName(key).length === 0) attributes.addAuditAnnotation(key, value);
  }
}

/** A refusal has a code of at least 400, whatever the webhook sets, and at most 599, the maximum in HTTP. */
function refusal(name: string, said: Partial<Status> = {}): StatusError {
  const head = `admission webhook ${JSON.stringify(name)} denied the request`;
  const { code = 0, message, reason, details } = said;
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: message ? `${head}: ${message}` : reason ? `${head}: ${reason}` : `${head} without explanation`,
    ...(reason ? { reason } : {}),
    ...(details ? { details } : {}),
    code: Math.min(Math.max(code, 400), 599),
  });
}

/** A dry run must not call a webhook with side effects. */
function requireDryRun(webhook: Webhook, { dryRun }: AdmissionAttributes): void {
  if (!dryRun || webhook.sideEffects === 'None' || webhook.sideEffects === 'NoneOnDryRun') return;
  throw status.badRequest(`admission webhook ${JSON.stringify(webhook.name)} does not support dry run`);
}
