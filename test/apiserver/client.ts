/** A cluster for tests of the API server, and the administrator's requests to it. */
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { recordedOptions, tokens } from '../conformance/scenarios.ts';

/** What a test looks at of an answer. */
export interface Outcome {
  readonly code: number;
  readonly type: string | null;
  readonly warning: string | null;
  readonly text: string;
  // Tests name the paths that they expect, and fail where those are not there.
  readonly body: Answered;
}

interface Answered {
  readonly [name: string]: Answered;
}

export interface TestClient {
  readonly cluster: Cluster;
  send(method: string, path: string, body?: object | string, headers?: Record<string, string>): Promise<Outcome>;
}

/** The kinds of patch, by what they are called. */
export const PATCHES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** A cluster in memory under the neutral names; nothing in it moves by itself. */
export async function openCluster(options: Partial<Parameters<typeof createCluster>[0]> = {}): Promise<TestClient> {
  const recorded = recordedOptions('cluster.io');
  const cluster = await createCluster({ ...recorded, controllerManager: ['--controllers=-*'], ...options });
  return {
    cluster,
    async send(method, path, body, headers = {}) {
      const all = { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json', ...headers };
      const sent = typeof body === 'string' ? body : body && JSON.stringify(body);
      const init = { method, headers: all, ...(sent === undefined ? {} : { body: sent }) };
      const answer = await cluster.fetch(new Request(`http://api.test${path}`, init));
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
      return {
        code: answer.status,
        type: answer.headers.get('content-type'),
        warning: answer.headers.get('warning'),
        text,
        body: (isJson ? JSON.parse(text) : {}) as Answered,
      };
    },
  };
}

/** The fields that a refusal names, in its order. */
export const causes = ({ body }: Outcome): readonly unknown[] => {
  const list = body['details']?.['causes'];
  return Array.isArray(list) ? list.map((cause: { field: string }) => cause.field) : [];
};
