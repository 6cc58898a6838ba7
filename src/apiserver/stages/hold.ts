/** Breakpoints: a request waits before a stage until a person continues it, possibly with an edited object. */
import type { Phase } from '../../admission/index.ts';
import { DecodeError, groupVersionOf, status, type ApiObject } from '../../schema/index.ts';
import { isObject } from '../../std/index.ts';
import { withoutSecrets } from '../../trace/index.ts';
import type { ResourceContext, ResourceServer } from '../registry/registry.ts';

/** Holds the object while its request waits. */
interface Bearer {
  object: ApiObject | undefined;
}

/** Waits before a stage that has no object yet. */
export function holdBefore(context: ResourceContext, step: string): Promise<unknown> | undefined {
  return hold(context, [step], { object: undefined });
}

/** Waits before a plugin; an edited object is passed to a mutating plugin. */
export function holdBeforePlugin(
  context: ResourceContext,
  plugin: string,
  phase: Phase,
  bearer: Bearer,
): Promise<void> | undefined {
  if (!canHold(context)) return undefined;
  const waiting = hold(context, [plugin, 'admission'], { object: bearer.object, phase });
  return waiting && (phase === 'mutating' ? editing(context, waiting, bearer) : waiting.then(() => undefined));
}

/** Waits between mutation and validation, the last point where the object can be changed. */
export function holdBeforeValidation(context: ResourceContext, bearer: Bearer): Promise<void> | undefined {
  const waiting = hold(context, ['validation'], { object: bearer.object, phase: 'mutating' });
  return waiting && editing(context, waiting, bearer);
}

/** Waits before storage; the object can be inspected but not edited. */
export function holdBeforeStorage(
  context: ResourceContext,
  object: ApiObject | undefined,
): Promise<unknown> | undefined {
  return hold(context, ['storage'], { object });
}

interface Shown {
  readonly object: ApiObject | undefined;
  /** The object can be edited only in mutating phases. */
  readonly phase?: Phase;
}

/** There is almost never a breakpoint, so this check before each plugin must be cheap. */
const canHold = ({ server }: ResourceContext): boolean => server.breakpoints.all.length > 0;

/** The request's deadline is paused while it waits. */
function hold(
  context: ResourceContext,
  steps: readonly string[],
  { object, phase }: Shown,
): Promise<unknown> | undefined {
  if (!canHold(context)) return undefined;
  const { server, id, info, user, userAgent, request, deadline } = context;
  const passing = { request: id, verb: info.verb, resource: info.resource, user: user.name, userAgent };
  const waiting = server.breakpoints.hold(passing, steps, () => {
    const shown = withoutSecrets(object);
    const editable = phase === 'mutating' && object !== undefined && shown === object;
    return { object: shown, editable, ...(steps.includes('admission') && phase && { phase }) };
  });
  if (!waiting) return undefined;
  const resume = deadline?.hold();
  const gone = (): void =>
    server.breakpoints.abandon(id, status.internalError('the client went away from a held request'));
  request.signal.addEventListener('abort', gone, { once: true });
  return waiting.finally(() => {
    request.signal.removeEventListener('abort', gone);
    resume?.();
  });
}

/** Replaces the shown object with the edited one. */
async function editing({ server }: ResourceContext, waiting: Promise<unknown>, bearer: Bearer): Promise<void> {
  const edited = await waiting;
  const { object } = bearer;
  // An object that was shown without its secrets can't be replaced.
  if (object && isObject(edited) && withoutSecrets(object) === object) bearer.object = decoded(server, object, edited);
}

/** An edited object is validated like a request's body; the kind stays. */
function decoded(
  { scheme }: ResourceServer,
  { kind, apiVersion }: ApiObject,
  edited: Record<string, unknown>,
): ApiObject {
  const node = scheme.typeOf({ ...groupVersionOf(apiVersion ?? ''), kind: kind ?? '' });
  const named = { ...edited, kind, apiVersion };
  try {
    return (node ? scheme.decode(node, named, 'sent') : named) as ApiObject;
  } catch (error) {
    if (error instanceof DecodeError) throw status.badRequest(`the edited object can't be read: ${error.message}`);
    throw error;
  }
}
