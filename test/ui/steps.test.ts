import { describe, expect, it } from 'vitest';
import type { RequestEvent, TraceEvent, Untimed } from '../../src/trace/index.ts';
import { patchLines, readablePath } from '../../src/ui/panels/requests/patch.ts';
import { refusalOf, stepsOf } from '../../src/ui/panels/requests/steps.ts';
import { targetOf } from '../../src/ui/panels/requests/target.ts';
import { RequestLog } from '../../src/hosts/worker/requestLog.ts';
import { LogKeeper, type OpenedRequest } from '../../src/ui/stores/requests.ts';

type Stage = Untimed<RequestEvent>;
type Fields<S extends RequestEvent['stage']> = Omit<Extract<Stage, { stage: S }>, 'topic' | 'request' | 'stage'>;

const stage = <S extends RequestEvent['stage']>(name: S, fields: Fields<S>): RequestEvent =>
  ({ topic: 'request', request: 'r', stage: name, at: 0, ...fields }) as unknown as RequestEvent;

const plugin = (
  name: string,
  outcome: 'unchanged' | 'changed' | 'refused' = 'unchanged',
  phase: 'mutating' | 'validating' = 'mutating',
  detail?: unknown,
): RequestEvent => stage('admission', { plugin: name, phase, outcome, detail });

const idle = (...plugins: string[]): RequestEvent => stage('idle', { phase: 'mutating', plugins });

const webhook = (name: string): RequestEvent =>
  stage('webhook', { configuration: 'c', webhook: name, outcome: 'allowed', ms: 1 });

/** The steps in short: a plugin by its name and its webhooks, idle ones in brackets, an event by its stage. */
const short = (events: readonly RequestEvent[]): readonly string[] =>
  stepsOf(events).map((step) => {
    if (step.as === 'event') return step.event.stage;
    if (step.as === 'idle') return `(${step.plugins.join(' ')})`;
    return [step.event.plugin, ...step.webhooks.map((each) => each.webhook)].join(' < ');
  });

describe('the steps of a request', () => {
  it.each([
    [
      'plugins that did nothing together',
      [plugin('A'), plugin('B'), plugin('C', 'changed'), plugin('D')],
      ['(A B)', 'C', '(D)'],
    ],
    ['those of each turn by themselves', [plugin('A'), plugin('A', 'unchanged', 'validating')], ['(A)', '(A)']],
    ['each pass by itself', [plugin('A'), plugin('B'), plugin('A'), plugin('B')], ['(A B)', '(A B)']],
    [
      'those that were told of together with those that had to wait',
      [idle('A', 'B'), plugin('C'), idle('D'), plugin('E', 'changed'), idle('F')],
      ['(A B C D)', 'E', '(F)'],
    ],
    ['webhooks at the plugin that asked them', [webhook('w'), webhook('v'), plugin('Hooks')], ['Hooks < w < v']],
    [
      'what is between them',
      [plugin('A'), stage('validation', { errors: [] }), plugin('B')],
      ['(A)', 'validation', '(B)'],
    ],
  ])('show %s', (_what, events, steps) => {
    expect(short(events)).toEqual(steps);
  });
});

const received = stage('received', { method: 'POST', url: '/x', headers: [], origin: 'page' });
const answered = (status: number): RequestEvent => stage('answered', { status, ms: 1, headers: [] });
const answer = (status: object): TraceEvent => ({
  topic: 'body',
  request: 'r',
  of: 'answer',
  contentType: 'application/json',
  bytes: 1,
  at: 0,
  text: JSON.stringify(status),
});

/** A request as the log has it, with what is kept of it where the cluster runs. */
function logged(...events: TraceEvent[]): OpenedRequest {
  const [log, all] = [new RequestLog(), [received, ...events]];
  const [request] = new LogKeeper().take(all.flatMap((event) => log.take(event) ?? [])).requests;
  const whole = log.whole('r');
  if (!request || !whole) throw new Error('nothing was logged');
  return { ...request, ...whole };
}

const denied = { message: 'quota is used up', code: 403, details: { causes: [{ field: 'spec.cpu' }] } };
const allowed = stage('authorization', { allowed: true, attributes: {}, verdicts: [] });

describe('why a request was refused', () => {
  it.each<[string, readonly TraceEvent[], unknown]>([
    [
      'nobody asked',
      [stage('authentication', { attempts: [] }), answered(401)],
      { where: 'Authentication', fields: [] },
    ],
    [
      'no module allowed it',
      [stage('authorization', { allowed: false, attributes: {}, verdicts: [] }), answered(403)],
      { where: 'Authorization' },
    ],
    [
      'a plugin said no',
      [allowed, plugin('ResourceQuota', 'refused', 'validating', denied), answered(403)],
      { where: 'ResourceQuota', message: 'quota is used up', fields: ['spec.cpu'] },
    ],
    [
      'rules were broken',
      [allowed, stage('validation', { errors: [{ field: 'metadata.name', message: 'no' }] }), answered(422)],
      { where: 'Validation', fields: ['metadata.name'] },
    ],
    [
      'only the answer says it',
      [allowed, answered(409), answer({ reason: 'Conflict', message: 'somebody else wrote' })],
      { where: 'the server', reason: 'Conflict', message: 'somebody else wrote' },
    ],
  ])('is told where %s', (_what, events, refusal) => {
    expect(refusalOf(logged(...events))).toMatchObject(refusal as object);
  });

  it('is not told of one that went well, or is still on its way', () => {
    expect(refusalOf(logged(allowed, answered(201)))).toBeUndefined();
    expect(refusalOf(logged(plugin('A', 'refused')))).toBeUndefined();
  });
});

describe('a patch in lines', () => {
  it.each([
    ['/spec/containers/0/image', 'spec.containers[0].image'],
    ['/metadata/labels/app.io~1name', 'metadata.labels[app.io/name]'],
    ['/metadata/annotations/a~0b', 'metadata.annotations[a~b]'],
    ['', '(the whole object)'],
  ])('has %j as %s', (pointer, path) => {
    expect(readablePath(pointer)).toBe(path);
  });

  it('shows what was there and what is there now', () => {
    const patch = [
      { op: 'add', path: '/spec/tolerations', value: [{ key: 'a' }] },
      { op: 'replace', path: '/spec/priority', value: 0, was: 5 },
      { op: 'remove', path: '/spec/old' },
    ];
    expect(patchLines(patch).map(({ as, text }) => `${as === 'added' ? '+' : '-'} ${text}`)).toEqual([
      '+ spec.tolerations:',
      '+   - key: a',
      '- spec.priority: 5',
      '+ spec.priority: 0',
      '- spec.old',
    ]);
  });
});

it('finds the object that a request is about', () => {
  const attributes = { group: '', resource: 'pods', namespace: 'default', name: '' };
  const pods = { group: '', version: 'v1', resource: 'pods', kind: 'Pod', namespaced: true };
  const resources = [{ ...pods, singularName: 'pod', shortNames: [], categories: [], verbs: [], subresources: [] }];
  const request = logged(
    stage('authorization', { allowed: true, attributes, verdicts: [] }),
    stage('object', { after: 'decoding', object: { metadata: { name: 'web' } } }),
  );
  expect(targetOf(request, resources as never)).toMatchObject({ namespace: 'default', name: 'web' });
  expect(targetOf(logged(allowed), resources as never)).toBeUndefined();
});
