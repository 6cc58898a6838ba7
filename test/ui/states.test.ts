import { describe, expect, it } from 'vitest';
import { stateOfAnswer, stateOfPhase, stateOfStatus } from '../../src/ui/theme/states.ts';

describe('a state', () => {
  it.each([
    ['Running', 'ready'],
    ['Completed', 'completed'],
    ['CrashLoopBackOff', 'failed'],
    ['ImagePullBackOff', 'failed'],
    ['ErrImagePull', 'failed'],
    ['Init:0/2', 'pending'],
    ['Init:CrashLoopBackOff', 'failed'],
    ['Ready,SchedulingDisabled', 'pending'],
    ['Terminating', 'deleted'],
    ['Approved,Issued', 'allowed'],
    ['ClusterIP', undefined],
  ])('of the word %s is %s', (word, state) => {
    expect(stateOfPhase(word)).toBe(state);
  });

  it.each([
    [200, 'allowed'],
    [201, 'allowed'],
    [401, 'denied'],
    [403, 'denied'],
    [404, 'failed'],
    [500, 'failed'],
    [304, undefined],
  ])('of the code %i is %s', (code, state) => {
    expect(stateOfStatus(code)).toBe(state);
  });

  it.each([
    ['GET', 404, undefined],
    ['HEAD', 404, undefined],
    ['DELETE', 404, 'failed'],
    ['GET', 403, 'denied'],
    ['GET', 200, 'allowed'],
  ])('of an answer to %s with %i is %s', (method, code, state) => {
    expect(stateOfAnswer(method, code)).toBe(state);
  });
});
