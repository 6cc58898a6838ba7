import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Bench, type Loose } from '../controllers/bench.ts';

const PATH = '/api/v1/componentstatuses';

describe('component statuses', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(() => bench.stop());
  const names = async (query = ''): Promise<string[]> =>
    (await bench.send('GET', PATH + query)).items.map(({ metadata }: Loose) => metadata.name);

  test('report that all components are healthy', async () => {
    expect(await names()).toEqual(['scheduler', 'controller-manager', 'etcd-0']);
    expect(await bench.send('GET', `${PATH}/etcd-0`)).toMatchObject({
      kind: 'ComponentStatus',
      conditions: [{ type: 'Healthy', status: 'True', message: '{"health":"true"}' }],
    });
  });

  test.each([
    ['?fieldSelector=metadata.name%3Dscheduler', ['scheduler']],
    ['?labelSelector=a%3Db', []],
  ])('can be selected with %s', async (query, found) => {
    expect(await names(query)).toEqual(found);
  });

  test.each([
    ['GET', `${PATH}/other`, 500, undefined],
    ['GET', `${PATH}?watch=true`, 405, 'MethodNotAllowed'],
    ['GET', '/api/v1/watch/componentstatuses', 404, 'NotFound'],
    ['POST', PATH, 405, 'MethodNotAllowed'],
    ['DELETE', `${PATH}/scheduler`, 405, 'MethodNotAllowed'],
  ])('%s %s is %i', async (method, path, code, reason) => {
    const answer = await bench.send(method, path, method === 'POST' ? {} : undefined);
    expect([answer.code, answer.reason]).toEqual([code, reason]);
  });
});
