/** Requests to servers in the cluster, by way of the API server's proxy. */
import { isStatus } from '../../../client/index.ts';
import { USER_AGENT } from '../../stores/clients.ts';
import { transportAs, useIdentity } from '../../stores/identity.ts';
import { theCluster } from '../../stores/session.ts';
import { pathOfLink } from './links.ts';
import type { BrowseTarget } from './opened.ts';

export interface BrowseAnswer {
  /** Where the answer is from, after redirections. */
  readonly path: string;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Why there is no answer of the server's own, in the words of the API server. */
  readonly problem: string | undefined;
}

const MOST_REDIRECTIONS = 5;

export const proxyPrefix = ({ kind, namespace, name }: BrowseTarget, port: number): string =>
  `/api/v1/namespaces/${encodeURIComponent(namespace)}/${kind}/${encodeURIComponent(name)}:${port}/proxy`;

/** Asks a server for a path, as whoever the page acts as; follows its redirections. */
export async function ask(
  target: BrowseTarget,
  port: number,
  path: string,
  signal: AbortSignal,
): Promise<BrowseAnswer> {
  const transport = transportAs(theCluster().cluster.transport, useIdentity.getState().current);
  const prefix = proxyPrefix(target, port);
  let at = path;
  for (let i = 0; ; i++) {
    const response = await transport(prefix + at, { headers: { accept: '*/*', 'user-agent': USER_AGENT }, signal });
    const location = response.headers.get('location');
    const next = location === null ? undefined : pathOfLink(location, at, prefix);
    if (response.status < 300 || response.status >= 400 || next === undefined || i === MOST_REDIRECTIONS)
      return answerOf(response, at);
    at = next;
  }
}

async function answerOf(response: Response, path: string): Promise<BrowseAnswer> {
  const type = response.headers.get('content-type') ?? '';
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { status, headers } = response;
  return { path, status, headers: [...headers], type, bytes, problem: problemIn(type, bytes) };
}

/** The API server's own refusal. */
function problemIn(type: string, bytes: Uint8Array): string | undefined {
  if (!type.startsWith('application/json')) return undefined;
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isStatus(body) ? body.message : undefined;
  } catch {
    return undefined;
  }
}

/** Whether bytes are a text that can be shown. */
export function textOf({ type, bytes }: BrowseAnswer): string | undefined {
  if (/^(image|audio|video|font)\/(?!svg)|octet-stream|zip/.test(type)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, MOST_SHOWN));
  } catch {
    return bytes.length > MOST_SHOWN ? new TextDecoder().decode(bytes.subarray(0, MOST_SHOWN)) : undefined;
  }
}

/** Bytes of a body that are shown; the whole can be downloaded. */
const MOST_SHOWN = 500_000;
