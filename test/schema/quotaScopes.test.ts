/** Which pods a quota counts, by its scopes. */
import { expect, test } from 'vitest';
import { namesOf } from '../../src/names/index.ts';
import { evaluatorOf, type ApiObject } from '../../src/schema/index.ts';

const plain = { containers: [{ name: 'c' }] };
const pods = {
  plain: { spec: plain },
  terminating: { spec: { ...plain, activeDeadlineSeconds: 10 } },
  endsAtOnce: { spec: { ...plain, activeDeadlineSeconds: 0 } },
  burstable: { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] } },
  limited: { spec: { containers: [{ name: 'c', resources: { limits: { memory: '1Gi' } } }] } },
  high: { spec: { ...plain, priorityClassName: 'high' } },
  low: { spec: { ...plain, priorityClassName: 'low' } },
};
const { plain: _plain, terminating: _t, endsAtOnce: _e, ...others } = pods;
const running = Object.keys(others);

const priority = (operator: string, values?: readonly string[]): object => ({
  scopeSelector: {
    matchExpressions: [{ scopeName: 'PriorityClass', operator, ...(values === undefined ? {} : { values }) }],
  },
});

test.each<[spec: object, counted: readonly string[]]>([
  [{}, Object.keys(pods)],
  [{ scopes: ['Terminating'] }, ['terminating', 'endsAtOnce']],
  [{ scopes: ['NotTerminating'] }, ['plain', ...running]],
  [{ scopes: ['BestEffort'] }, ['plain', 'terminating', 'endsAtOnce', 'high', 'low']],
  [{ scopes: ['NotBestEffort'] }, ['burstable', 'limited']],
  [{ scopes: ['NotTerminating', 'BestEffort'] }, ['plain', 'high', 'low']],
  [{ scopes: ['PriorityClass'] }, ['high', 'low']],
  [priority('Exists'), ['high', 'low']],
  [priority('DoesNotExist'), Object.keys(pods).filter((name) => name !== 'high' && name !== 'low')],
  [priority('In', ['high', 'other']), ['high']],
  [priority('NotIn', ['high']), Object.keys(pods).filter((name) => name !== 'high')],
  [{ scopes: ['BestEffort'], ...priority('In', ['low']) }, ['low']],
])('%j counts %j', (spec, counted) => {
  const evaluator = evaluatorOf({ group: '', resource: 'pods' }, namesOf('k8s.io'));
  const quota = { metadata: { name: 'q' }, spec } as never;
  const found = Object.entries(pods).filter(([, pod]) => evaluator.matches(quota, pod as unknown as ApiObject));
  expect(found.map(([name]) => name)).toEqual(counted);
});

test('other kinds are in no scope, so a quota with any does not count them', () => {
  const evaluator = evaluatorOf({ group: '', resource: 'services' }, namesOf('k8s.io'));
  const service = { spec: {} } as unknown as ApiObject;
  expect(evaluator.matches({ metadata: {}, spec: {} } as never, service)).toBe(true);
  expect(evaluator.matches({ metadata: {}, spec: { scopes: ['BestEffort'] } } as never, service)).toBe(false);
});
