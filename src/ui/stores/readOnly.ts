/** A page that only shows: what would change something is refused before it is sent. */
import type { Transport } from '../../client/index.ts';

const READS = ['GET', 'HEAD', 'OPTIONS'];
/** Questions that are asked by POST and write nothing. */
const QUESTION = /\/apis\/(authorization|authentication)\.[^/]+\/[^/]+\/[^?]*reviews(\?|$)/;

const refusal = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'This page only shows the cluster: nothing can be changed here.',
  reason: 'MethodNotAllowed',
  code: 405,
};

/** Whether a request writes nothing. */
export const isRead = (path: string, method: string): boolean => READS.includes(method) || QUESTION.test(path);

/** The same way to a cluster, for requests that change nothing. */
export const refuseWrites =
  (transport: Transport): Transport =>
  (path, init) =>
    isRead(path, init?.method ?? 'GET')
      ? transport(path, init)
      : Promise.resolve(Response.json(refusal, { status: 405 }));
