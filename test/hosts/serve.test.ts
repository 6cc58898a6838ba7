import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Served } from '../../src/hosts/node/index.ts';
import { serve } from '../../src/hosts/node/index.ts';
import { recordedOptions } from '../conformance/scenarios.ts';

const admin = { authorization: 'Bearer admintoken', 'content-type': 'application/json' };
const configMaps = '/api/v1/namespaces/default/configmaps';

describe('a served cluster', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serve({ port: 0, host: '127.0.0.1', cluster: recordedOptions('k8s.io') });
  });

  afterAll(() => served.close());

  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(served.url + path, { ...init, headers: { ...admin, ...init.headers } });

  test('answers at the root of its port', async () => {
    expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await (await ask('/version')).json()).toMatchObject({ major: '1', minor: '20' });
    expect((await ask('/api/v1/secrets', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
  });

  test('says how long a complete answer is', async () => {
    const answer = await ask('/version');
    const length = Number(answer.headers.get('content-length'));
    expect((await answer.arrayBuffer()).byteLength).toBe(length);
  });

  test('streams a watch while objects come and go', async () => {
    const abort = new AbortController();
    const list = (await (await ask(configMaps)).json()) as { metadata: { resourceVersion: string } };
    const query = `watch=1&resourceVersion=${list.metadata.resourceVersion}`;
    const watch = await ask(`${configMaps}?${query}`, { signal: abort.signal });
    const reader = watch.body?.pipeThrough(new TextDecoderStream()).getReader();
    const next = async (): Promise<unknown> => {
      const { type, object } = JSON.parse((await reader?.read())?.value ?? '{}') as {
        type: string;
        object: { metadata: { name: string } };
      };
      return [type, object.metadata.name];
    };
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'seen' } });
    expect((await ask(configMaps, { method: 'POST', body })).status).toBe(201);
    expect(await next()).toEqual(['ADDED', 'seen']);
    expect((await ask(`${configMaps}/seen`, { method: 'DELETE' })).status).toBe(200);
    expect(await next()).toEqual(['DELETED', 'seen']);
    abort.abort();
  });

  test('refuses a port that is taken', async () => {
    const port = Number(new URL(served.url).port);
    const second = serve({ port, host: '127.0.0.1', cluster: { name: 'second' } });
    await expect(second).rejects.toThrow(`can't listen on port ${port} of 127.0.0.1: it is in use by another process`);
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
