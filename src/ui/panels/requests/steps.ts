/** A request's way as steps to show: what did nothing is taken together, webhooks belong to the plugin that asked them. */
import type { RequestEvent } from '../../../trace/index.ts';
import type { OpenedRequest } from '../../stores/requests.ts';
import { isAbsence } from '../../theme/states.ts';
import { asList, asText, at, parseJson } from '../../stores/jsonValues.ts';

export type Of<S extends RequestEvent['stage']> = Extract<RequestEvent, { readonly stage: S }>;
export type Admission = Of<'admission'>;
export type WebhookStep = Of<'webhook'>;

export type Step =
  /** `before` is the object as it was shown last. */
  | {
      readonly as: 'event';
      readonly event: Exclude<RequestEvent, Admission | Of<'idle'> | WebhookStep>;
      readonly before: unknown;
    }
  | { readonly as: 'plugin'; readonly event: Admission; readonly webhooks: readonly WebhookStep[] }
  /** Plugins one after the other that neither changed nor refused anything. */
  | {
      readonly as: 'idle';
      readonly phase: Admission['phase'];
      readonly at: number;
      readonly plugins: readonly string[];
    };

const isIdle = (event: Admission, webhooks: readonly WebhookStep[]): boolean =>
  event.outcome === 'unchanged' && webhooks.length === 0;

function withIdle(
  steps: readonly Step[],
  { phase, at: when }: Pick<Admission, 'phase' | 'at'>,
  plugins: readonly string[],
): readonly Step[] {
  const last = steps.at(-1);
  // A plugin that comes again is of another pass: a webhook asked for one.
  if (last?.as === 'idle' && last.phase === phase && !plugins.some((plugin) => last.plugins.includes(plugin)))
    return [...steps.slice(0, -1), { ...last, plugins: [...last.plugins, ...plugins] }];
  return [...steps, { as: 'idle', phase, at: when, plugins }];
}

/** The steps in order. Webhooks whose plugin has not told its outcome yet are not shown. */
export function stepsOf(events: readonly RequestEvent[]): readonly Step[] {
  let steps: readonly Step[] = [];
  let webhooks: readonly WebhookStep[] = [];
  let before: unknown;
  for (const event of events) {
    if (event.stage === 'webhook') webhooks = [...webhooks, event];
    else if (event.stage === 'idle') steps = withIdle(steps, event, event.plugins);
    else if (event.stage === 'admission') {
      steps = isIdle(event, webhooks)
        ? withIdle(steps, event, [event.plugin])
        : [...steps, { as: 'plugin', event, webhooks }];
      webhooks = [];
    } else {
      steps = [...steps, { as: 'event', event, before }];
      if (event.stage === 'object') before = event.object;
    }
  }
  return steps;
}

/** Why a request was refused, and by which step. */
export interface Refusal {
  readonly where: string;
  /** The Status's reason, where only the answer says why. */
  readonly reason?: string;
  readonly message: string;
  /** The fields that the refusal names. */
  readonly fields: readonly string[];
}

const causes = (status: unknown): readonly string[] =>
  asList(at(status, 'details', 'causes'))
    .map((cause) => asText(at(cause, 'field')))
    .filter(Boolean);

/** The refusal that one stage says; undefined where it refused nothing. */
function refusalAt(event: RequestEvent): Refusal | undefined {
  switch (event.stage) {
    case 'authentication':
      return event.user === undefined
        ? { where: 'Authentication', message: 'No method accepted the credentials.', fields: [] }
        : undefined;
    case 'flow':
      return event.admitted ? undefined : { where: 'Flow control', message: event.outcome, fields: [] };
    case 'authorization':
      return event.allowed ? undefined : { where: 'Authorization', message: 'No module allowed it.', fields: [] };
    case 'admission':
      return event.outcome === 'refused' ? refusalByPlugin(event) : undefined;
    case 'validation':
      return event.errors.length === 0
        ? undefined
        : {
            where: 'Validation',
            message: `The object is not valid: ${event.errors.length} ${event.errors.length === 1 ? 'error' : 'errors'}.`,
            fields: event.errors.map((error) => asText(at(error, 'field'))),
          };
    default:
      return undefined;
  }
}

const refusalByPlugin = ({ plugin, detail }: Admission): Refusal => ({
  where: plugin,
  message: typeof detail === 'string' ? detail : asText(at(detail, 'message')),
  fields: causes(detail),
});

/** What the answer itself says, where no stage told of a refusal: a body that can't be read, a conflict. */
function refusalInAnswer({ method, status = 0, bodies }: OpenedRequest): Refusal | undefined {
  if (status < 400 || isAbsence(method, status)) return undefined;
  const answer = parseJson(bodies.findLast(({ of }) => of === 'answer')?.text);
  const message = asText(at(answer, 'message')) || `The server answered ${status}.`;
  return { where: 'the server', reason: asText(at(answer, 'reason')), message, fields: causes(answer) };
}

/** Why a request was refused; undefined where it was not, or is still on its way. */
export function refusalOf(request: OpenedRequest): Refusal | undefined {
  if (request.status === undefined || request.status < 400) return undefined;
  for (const event of request.stages) {
    const refusal = refusalAt(event);
    if (refusal) return refusal;
  }
  return refusalInAnswer(request);
}
