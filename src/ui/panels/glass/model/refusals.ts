/** Where the server stopped a request, and why. */
import type { BriefStage } from '../../../../trace/index.ts';
import { asText, at } from '../../../stores/jsonValues.ts';
import { isAbsence } from '../../../theme/states.ts';
import { nextStage, type Stage } from './stages.ts';

export interface Stop {
  readonly stage: Stage;
  /** A short sentence. */
  readonly reason: string;
  /** The server's own words, where they are known. */
  readonly message?: string;
}

/** What somebody may not do, from what authorization was asked. */
function notAllowed(attributes: unknown): string {
  const get = (field: string): string => asText(at(attributes, field));
  const { verb, resource, namespace } = { verb: get('verb'), resource: get('resource'), namespace: get('namespace') };
  const what = resource === '' ? get('path') : [resource, get('subresource')].filter(Boolean).join('/');
  const where = namespace === '' ? '' : ` in ${namespace}`;
  return `${asText(at(attributes, 'user', 'name'))} may not ${verb} ${what}${where}`;
}

/** The refusal that a stage tells of; undefined where it refuses nothing. */
export function refusalAt(event: BriefStage, user: string): Stop | undefined {
  switch (event.stage) {
    case 'authentication':
      return event.user === undefined
        ? { stage: 'authentication', reason: 'No method accepted the credentials' }
        : undefined;
    case 'flow':
      return event.admitted
        ? undefined
        : { stage: 'authorization', reason: `Flow control refused ${user}: ${event.outcome}` };
    case 'authorization':
      return event.allowed ? undefined : { stage: 'authorization', reason: notAllowed(event.attributes) };
    case 'admission':
      return event.outcome === 'refused' ? byPlugin(event.plugin, event.detail) : undefined;
    case 'validation':
      return event.errors.length === 0 ? undefined : { stage: 'validation', reason: broken(event.errors) };
    default:
      return undefined;
  }
}

function byPlugin(plugin: string, detail: unknown): Stop {
  const said = typeof detail === 'string' ? detail : asText(at(detail, 'message'));
  return { stage: 'admission', reason: said === '' ? `${plugin} refused it` : `${plugin}: ${said}` };
}

function broken(errors: readonly unknown[]): string {
  const [first] = errors;
  const field = asText(at(first, 'field'));
  const rest = errors.length > 1 ? `, and ${errors.length - 1} more` : '';
  const said = asText(at(first, 'detail')) || asText(at(first, 'message'));
  return `${field || 'The object'} is not valid${said === '' ? '' : `: ${said}`}${rest}`;
}

const byCode: ReadonlyMap<number, { readonly stage?: Stage; readonly reason: string }> = new Map([
  [401, { stage: 'authentication', reason: 'The credentials were not accepted' }],
  [403, { reason: 'This is forbidden' }],
  [404, { stage: 'storage', reason: 'There is no such object' }],
  [409, { stage: 'storage', reason: 'Someone else wrote first, or the name is taken' }],
  [410, { stage: 'storage', reason: 'That revision is no longer kept' }],
  [422, { stage: 'validation', reason: 'The object is not valid' }],
  [429, { stage: 'authorization', reason: 'The server is too busy' }],
]);

/** The refusal that only the answer's code tells of. To read what does not exist is no refusal: an apply reads first. */
export function refusalByAnswer(status: number, passed: Stage | undefined, method: string): Stop | undefined {
  if (status < 400 || isAbsence(method, status)) return undefined;
  const { stage = nextStage(passed), reason } = byCode.get(status) ?? { reason: `The server answered ${status}` };
  return { stage, reason };
}
