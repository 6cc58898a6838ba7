import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passes } from '../../src/apiserver/flow/brief.ts';
import { createFlow } from '../../src/apiserver/flow/index.ts';
import type { FlowAnswer, FlowRequest } from '../../src/apiserver/flow/types.ts';
import { requestInfo } from '../../src/apiserver/stages/requestInfo.ts';
import { namesOf } from '../../src/names/index.ts';
import { getOwn, manualClock, Metrics, settle } from '../../src/std/index.ts';

const limited = (name: string, limitResponse: { type: string; queuing?: object }) =>
  ({ metadata: { name }, spec: { type: 'Limited', limited: { assuredConcurrencyShares: 1, limitResponse } } }) as never;

const schema = (level: string) =>
  ({
    metadata: { name: `of-${level}` },
    spec: {
      matchingPrecedence: 100,
      priorityLevelConfiguration: { name: level },
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [{ kind: 'Group', group: { name: level } }],
          resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true }],
        },
      ],
    },
  }) as never;

const info = requestInfo('PUT', '/api/v1/namespaces/default/pods/p', new URLSearchParams());

const requestOf = (group: string): FlowRequest => ({
  ...{ user: { name: `one-of-${group}`, groups: [group], extra: {} }, info, mutating: true },
  ...{ onAbandoned: () => undefined, onWaiting: () => undefined },
});

/** Flow control with seven seats, one level that queues, one that refuses, and those that every server has. */
function makeFlow(fair: boolean) {
  const clock = manualClock();
  const metrics = new Metrics();
  const flags = {
    'max-requests-inflight': '4',
    'max-mutating-requests-inflight': '3',
    'request-timeout': '60s',
    'enable-priority-and-fairness': String(fair),
  };
  const flag = (name: string): string | undefined => getOwn(flags, name);
  const { flow, levels } = createFlow({
    clock,
    metrics,
    names: namesOf('cluster.io'),
    flag,
    gate: () => true,
  } as never);
  const queuing = { queues: 8, handSize: 3, queueLengthLimit: 2 };
  levels?.update(
    [limited('queues', { type: 'Queue', queuing }), limited('refuses', { type: 'Reject' })],
    [schema('queues'), schema('refuses')],
  );
  return { clock, metrics, flow, passes: (request: FlowRequest) => passes(request, flow, levels) };
}

interface Deed {
  readonly do: 'pass' | 'hold' | 'release' | 'step';
  /** Whose request passes or is held. */
  readonly group: string;
}

const group = fc.constantFrom('queues', 'refuses', 'system:masters', 'others');
const deeds = fc.array(fc.record<Deed>({ do: fc.constantFrom('pass', 'hold', 'release', 'step'), group }), {
  maxLength: 40,
});

/** Does the same at two servers; brief requests pass at one of them, and enter and leave at the other. */
async function compare(all: readonly Deed[], fair: boolean): Promise<void> {
  const [brief, plain] = [makeFlow(fair), makeFlow(fair)];
  const held: (readonly (FlowAnswer | Promise<FlowAnswer>)[])[] = [];
  for (const deed of all) {
    if (deed.do === 'hold') held.push([brief, plain].map(({ flow }) => flow.enter(requestOf(deed.group))));
    else if (deed.do === 'step') await Promise.all([brief, plain].map(({ clock }) => clock.step(20)));
    else if (deed.do === 'release') for (const answer of held.shift() ?? []) void Promise.resolve(answer).then(release);
    else {
      const passed = brief.passes(requestOf(deed.group));
      const entered = plain.flow.enter(requestOf(deed.group));
      expect(passed).toBe(!(entered instanceof Promise) && entered.admitted);
      // One of the two waits, or was counted as refused: they differ from here on.
      if (entered instanceof Promise || !passed) return;
      release(entered);
    }
    await settle(4);
  }
  expect(brief.metrics.text()).toBe(plain.metrics.text());
}

const release = (answer: FlowAnswer): void => answer.release();

describe.each([
  ['priority and fairness', true],
  ['the simple limits', false],
])('%s', (_, fair) => {
  test('let a brief request pass exactly if it would not have to wait, and change the metrics as any request does', () =>
    fc.assert(fc.asyncProperty(deeds, (all) => compare(all, fair))));

  test.each([
    ['queues', false],
    ['refuses', false],
    ['system:masters', true],
  ])('when all seats are taken, a request of %s passes: %j', (of, isExempt) => {
    const { flow, passes } = makeFlow(fair);
    for (let i = 0; i < 7; i++) void flow.enter(requestOf(fair ? of : 'others'));
    expect(passes(requestOf(of))).toBe(isExempt);
  });
});
