import { describe, expect, it } from 'vitest';
import { StatusError, type Status } from '../../src/schema/index.ts';
import { inApplyOrder } from '../../src/ui/editor/applyOrder.ts';
import { isTemporary, retryApply } from '../../src/ui/editor/retryApply.ts';

const status = (code: number, message: string, details?: Status['details']): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  code,
  message,
  ...(details ? { details } : {}),
});

describe('the order of applying', () => {
  it.each([
    ['Pod Namespace', 'Namespace Pod'],
    ['Pod Deployment Ingress', 'Deployment Pod Ingress'],
    ['Widget CustomResourceDefinition', 'CustomResourceDefinition Widget'],
    ['RoleBinding Role ServiceAccount', 'ServiceAccount Role RoleBinding'],
    ['Ingress Deployment Service ConfigMap Secret', 'Secret ConfigMap Service Deployment Ingress'],
    ['ValidatingWebhookConfiguration Deployment', 'Deployment ValidatingWebhookConfiguration'],
    ['PersistentVolumeClaim StorageClass', 'StorageClass PersistentVolumeClaim'],
    ['constructor Namespace', 'Namespace constructor'],
  ])('%s becomes %s', (given, expected) => {
    const kinds = given.split(' ').map((kind) => ({ kind }));
    expect(inApplyOrder(kinds).map(({ kind }) => kind)).toEqual(expected.split(' '));
  });

  it('keeps the order of objects of one kind, and of kinds that are not listed', () => {
    const objects = ['Job a', 'Deployment b', 'Job c', 'Widget d'].map((text) => ({
      kind: text.split(' ')[0] ?? '',
      text,
    }));
    expect(inApplyOrder(objects)).toEqual(objects);
  });
});

const account = 'pods "a" is forbidden: error looking up service account n/default: serviceaccount "default" not found';

describe('a refusal', () => {
  it.each([
    ['a namespace that was created just now', status(404, 'namespaces "n" not found'), true],
    ['a namespace that nobody creates', status(404, 'namespaces "other" not found'), false],
    ['an object that is missing', status(404, 'pods "a" not found'), false],
    ['a service account that is not there yet', status(403, account), true],
    [
      'an access that is not granted',
      status(403, 'pods is forbidden: User "ben" cannot create resource "pods"'),
      false,
    ],
    [
      'a token that is not there yet',
      status(500, 'No API token found for service account "default", retry after'),
      true,
    ],
    ["a cluster's authority that is not published yet", status(404, 'configmaps "kube-root-ca.crt" not found'), true],
    ['a server that is overloaded', status(429, 'too many requests', { retryAfterSeconds: 1 }), true],
    ['an invalid object', status(422, 'Pod "a" is invalid'), false],
    ['a conflict', status(409, 'the object has been modified'), false],
  ])('because of %s', (_what, refusal, expected) => {
    expect(isTemporary(refusal, new Set(['n']))).toBe(expected);
  });
});

/** Refuses as many times as there are refusals, then succeeds; the pauses in between. */
async function run(refusals: readonly Status[]): Promise<{ pauses: number[]; result: string }> {
  const pauses: number[] = [];
  let turn = 0;
  const work = (): Promise<string> => {
    const refusal = refusals[turn++];
    return refusal ? Promise.reject(new StatusError(refusal)) : Promise.resolve('done');
  };
  const wait = (ms: number): Promise<void> => Promise.resolve(void pauses.push(ms));
  const result = await retryApply(work, new Set(), wait).catch((error: Error) => error.message);
  return { pauses, result };
}

describe('a write is repeated', () => {
  it('after longer and longer pauses', async () => {
    expect(await run(Array.from({ length: 6 }, () => status(403, account)))).toEqual({
      pauses: [200, 400, 800, 1600, 2000, 2000],
      result: 'done',
    });
  });

  it('no sooner than the server asks for', async () => {
    expect((await run([status(429, 'wait', { retryAfterSeconds: 3 })])).pauses).toEqual([3000]);
  });

  it('for 15 seconds', async () => {
    const { pauses, result } = await run(Array.from({ length: 100 }, () => status(403, account)));
    expect(result).toBe(account);
    expect(pauses.reduce((sum, each) => sum + each, 0)).toBe(15_000);
  });

  it('not at all when it is refused for good', async () => {
    expect(await run([status(422, 'invalid')])).toEqual({ pauses: [], result: 'invalid' });
  });
});
