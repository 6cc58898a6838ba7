/** The clients outside of the browser, as the request log tells of them. */
import { asText } from '../../../stores/jsonValues.ts';
import type { LoggedRequest } from '../../../stores/requests.ts';

/** A program that asks as one user. */
export interface OutsideClient {
  readonly key: string;
  /** The program and its version. */
  readonly program: string;
  readonly user: string;
  readonly requests: number;
  readonly refused: number;
  /** Requests that have no answer yet. */
  readonly open: number;
  readonly last: LoggedRequest;
}

/** The way in of a request, as the trace names it. */
const BRIDGE = 'bridge';

const received = ({ stages }: LoggedRequest) => stages.find((stage) => stage.stage === 'received');

/** The program in a User-Agent: `kubectl/v1.20.2 (linux/amd64) …` is kubectl v1.20.2. */
export function programOf(userAgent: string): string {
  const [first = ''] = userAgent.split(' ');
  return first.replace('/', ' ') || 'unnamed program';
}

/** Who has asked over the bridge, the one that asked last first. */
export function outsideClients(requests: readonly LoggedRequest[]): OutsideClient[] {
  const clients = new Map<string, OutsideClient>();
  for (const request of requests) {
    const event = received(request);
    if (event?.stage !== 'received' || event.origin !== BRIDGE) continue;
    const agent = event.headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1];
    const program = programOf(asText(agent));
    const key = `${program} as ${request.user}`;
    const before = clients.get(key);
    clients.delete(key);
    clients.set(key, {
      ...{ key, program, user: request.user, last: request },
      requests: (before?.requests ?? 0) + 1,
      refused: (before?.refused ?? 0) + Number(request.status === 401 || request.status === 403),
      open: (before?.open ?? 0) + Number(request.status === undefined),
    });
  }
  return [...clients.values()].reverse();
}
