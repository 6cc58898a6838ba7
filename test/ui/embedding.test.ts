import { describe, expect, it } from 'vitest';
import { parseEmbedding } from '../../src/ui/shell/embedding.ts';
import { refuseWrites } from '../../src/ui/stores/readOnly.ts';

describe('the page within another one', () => {
  it.each([
    ['', undefined],
    ['?read-only', undefined],
    ['?embed', { panels: [], readOnly: false }],
    ['?embed=explore,network', { panels: ['explore', 'network'], readOnly: false }],
    ['?embed=explore&read-only', { panels: ['explore'], readOnly: true }],
    ['?embed=explore&read-only=false', { panels: ['explore'], readOnly: false }],
  ])('by %s', (search, expected) => expect(parseEmbedding(search)).toEqual(expected));

  it.each([
    ['GET', '/api/v1/pods', 200],
    ['DELETE', '/api/v1/namespaces/a', 405],
    ['POST', '/api/v1/namespaces', 405],
    ['PATCH', '/api/v1/nodes/a', 405],
    ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 200],
  ])('read-only, answers %s %s with %i', async (method, path, status) => {
    const answer = await refuseWrites(() => Promise.resolve(new Response('{}')))(path, { method });
    expect(answer.status).toBe(status);
    if (status === 405) expect(await answer.json()).toMatchObject({ kind: 'Status', reason: 'MethodNotAllowed' });
  });
});
