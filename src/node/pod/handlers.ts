import type { Pod } from '../../client/index.ts';
import { httpRequest, SystemError, sink, nullStream, Killed, type Network, type Stream } from '../../programs/index.ts';
import type { objects } from '../../schema/index.ts';
import { decodeText, delay, type Clock } from '../../std/index.ts';
import type { ContainerProcess } from './containerProcess.ts';

/** The action of a probe or a hook: a command in the container, a request, a connection. */
export type Handler = Pick<objects.Probe, 'exec' | 'httpGet' | 'tcpSocket'>;

export interface HandlerSetup {
  readonly container: objects.Container;
  readonly process: ContainerProcess;
  readonly network: Network;
  readonly podIP: string;
  readonly clock: Clock;
}

/** Whether it succeeded, and the message otherwise. */
export interface Outcome {
  readonly succeeded: boolean;
  readonly text: string;
  /** The handler could not be run at all: its command or port does not exist. */
  readonly isUntried?: boolean;
}

const LONGEST_OUTPUT = 10 * 1024;

/** Runs a handler; fails after `timeout` milliseconds. */
export async function runHandler(handler: Handler, setup: HandlerSetup, timeout: number): Promise<Outcome> {
  if (handler.exec) return execute(handler.exec.command ?? [], setup, timeout);
  if (handler.httpGet) return request(handler.httpGet, setup, timeout);
  if (handler.tcpSocket) return connect(handler.tcpSocket, setup, timeout);
  return { succeeded: true, text: '' };
}

async function execute(
  command: readonly string[],
  { process, clock }: HandlerSetup,
  timeout: number,
): Promise<Outcome> {
  let text = '';
  const output = (): Stream => sink((bytes) => void (text.length < LONGEST_OUTPUT && (text += decodeText(bytes))));
  try {
    const child = process.exec(
      command,
      new Map([
        [0, nullStream()],
        [1, output()],
        [2, output()],
      ]),
    );
    const over = new AbortController();
    const late = delay(clock, timeout, over.signal).then(() => undefined);
    const code = await Promise.race([child.exit, late]);
    over.abort();
    if (code === undefined) child.kill('KILL');
    return { succeeded: code === 0, text };
  } catch (problem) {
    if (!(problem instanceof SystemError)) throw problem;
    return {
      ...{ succeeded: false, isUntried: true },
      text: `rpc error: code = Unknown desc = failed to exec in container: OCI runtime exec failed: exec failed: exec: ${JSON.stringify(command[0] ?? '')}: ${problem.message.toLowerCase()}: unknown`,
    };
  }
}

/** Why a port can't be used; undefined if it can. */
function portProblem(given: number | string | undefined, port: number): string | undefined {
  if (Number.isNaN(port)) return `strconv.Atoi: parsing ${JSON.stringify(given)}: invalid syntax`;
  return port > 0 && port < 65_536 ? undefined : `invalid port number: ${port}`;
}

/** Resolves a port number or port name of the container. */
export function portNumber(port: number | string | undefined, { ports = [] }: objects.Container): number {
  return ports.find(({ name }) => name === port)?.containerPort ?? Number(port);
}

async function request(get: objects.HTTPGetAction, setup: HandlerSetup, timeout: number): Promise<Outcome> {
  const { container, network, podIP, clock } = setup;
  const port = portNumber(get.port, container);
  const wrong = portProblem(get.port, port);
  if (wrong !== undefined) return { succeeded: false, text: wrong, isUntried: true };
  const path = get.path || '/';
  const scheme = (get.scheme ?? 'HTTP').toLowerCase();
  const url = new URL(`${scheme}://${get.host || podIP}:${port}${path.startsWith('/') ? path : `/${path}`}`);
  const headers = Object.fromEntries((get.httpHeaders ?? []).map(({ name, value }) => [name, value]));
  try {
    const { status, body } = await httpRequest(network, url, {
      headers: { 'User-Agent': 'kube-probe/1.20', ...headers },
      clock,
      timeout,
    });
    const succeeded = status >= 200 && status < 400;
    return { succeeded, text: succeeded ? decodeText(body) : `HTTP probe failed with statuscode: ${status}` };
  } catch (problem) {
    return { succeeded: false, text: `Get ${JSON.stringify(url.href)}: ${networkText(problem, url.hostname, port)}` };
  }
}

async function connect(
  { host, port }: objects.TCPSocketAction,
  setup: HandlerSetup,
  timeout: number,
): Promise<Outcome> {
  const target = { host: host || setup.podIP, port: portNumber(port, setup.container) };
  const wrong = portProblem(port, target.port);
  if (wrong !== undefined) return { succeeded: false, text: wrong, isUntried: true };
  try {
    const connection = await setup.network.connect(target, { timeout });
    connection.stream.release();
    return { succeeded: true, text: '' };
  } catch (problem) {
    return { succeeded: false, text: networkText(problem, target.host, target.port) };
  }
}

function networkText(problem: unknown, host: string, port: number): string {
  if (problem instanceof SystemError && problem.code !== 'ETIMEDOUT')
    return `dial tcp ${host}:${port}: connect: ${problem.message.toLowerCase()}`;
  if (problem instanceof SystemError || problem instanceof Killed)
    return 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
  return problem instanceof Error ? problem.message : String(problem);
}

/** How an event tells that a lifecycle hook of a container has failed. */
export function hookText(handler: Handler, { name }: objects.Container, { metadata }: Pod, text: string): string {
  const pod = `${metadata.name}_${metadata.namespace}(${metadata.uid})`;
  const where = `for Container ${JSON.stringify(name)} in Pod ${JSON.stringify(pod)}`;
  const what = handler.exec
    ? `Exec lifecycle hook (${JSON.stringify(handler.exec.command ?? [])
        .replaceAll('"', '')
        .replaceAll(',', ' ')})`
    : `Http lifecycle hook (${handler.httpGet?.path ?? ''})`;
  return `${what} ${where} failed - error: ${text.trim() || 'the command failed'}, message: ${JSON.stringify(text)}`;
}
