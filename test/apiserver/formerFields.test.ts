/** Annotations that were fields in older versions of the API: they hold 64-bit integers, or the object is refused. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Cluster } from '../../src/cluster/index.ts';
import { Call, smallCluster } from './flowCluster.ts';

const GROUP = '/apis/apps/v1/namespaces/default';
const GENERATION = 'deprecated.daemonset.template.generation';
const ROLLBACK = 'deprecated.deployment.rollback.to';
let cluster: Cluster;

beforeAll(async () => {
  cluster = await smallCluster();
});
afterAll(() => cluster.stop());

interface Answer {
  readonly code?: number;
  readonly metadata?: { readonly annotations?: Record<string, string> };
  readonly details?: { readonly causes?: readonly { readonly field: string }[] };
}

async function send(method: string, path: string, body?: object, type = 'application/json'): Promise<Answer> {
  const init = {
    method,
    headers: { authorization: 'Bearer root', 'content-type': type },
    ...(body ? { body: JSON.stringify(body) } : {}),
  };
  return (await (await new Call(cluster, 'root', `${GROUP}/${path}`, init).answered).json()) as Answer;
}

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const workload = (kind: string, annotations: object): object => ({
  ...{ apiVersion: 'apps/v1', kind, metadata: { name: 'x', annotations } },
  spec: { selector: { matchLabels: { a: 'b' } }, template },
});

/** The annotation of the object after a write, or the code and the fields of the refusal. */
function outcome({ code, metadata, details }: Answer, annotation: string): unknown {
  if (code === undefined) return metadata?.annotations?.[annotation];
  return details?.causes ? [code, ...details.causes.map(({ field }) => field)] : code;
}

const NOT_A_NUMBER = { create: 400, merge: [422, 'patch'], strategic: 500, apply: 500 };
const alike = (value: unknown): object => ({ create: value, merge: value, strategic: value, apply: value });

describe.each([
  ['Deployment', 'deployments', ROLLBACK, '7', alike(undefined), alike([422, 'spec.rollback.version'])],
  ['DaemonSet', 'daemonsets', GENERATION, '1', NOT_A_NUMBER, alike('1')],
])('of a %s', (kind, plural, annotation, seven, empty, negative) => {
  test.each<[string, object]>([
    ['007', { ...alike(seven), create: '7' }],
    ['', empty],
    ['-3', negative],
    ['x', NOT_A_NUMBER],
    ['1.0', NOT_A_NUMBER],
    ['9223372036854775808', NOT_A_NUMBER],
  ])('%j', async (text, expected) => {
    const annotations = { [annotation]: text };
    const seen: Record<string, unknown> = {};
    const remember = (how: string, answer: Answer): void => {
      seen[how] = outcome(answer, annotation);
    };
    remember('create', await send('POST', plural, workload(kind, annotations)));
    await send('DELETE', `${plural}/x`);
    await send('POST', plural, workload(kind, {}));
    const patch = { metadata: { annotations } };
    remember('merge', await send('PATCH', `${plural}/x`, patch, 'application/merge-patch+json'));
    remember('strategic', await send('PATCH', `${plural}/x`, patch, 'application/strategic-merge-patch+json'));
    const apply = 'application/apply-patch+yaml';
    remember('apply', await send('PATCH', `${plural}/x?fieldManager=m&force=true`, workload(kind, annotations), apply));
    await send('DELETE', `${plural}/x`);
    expect(seen).toEqual(expected);
  });
});
