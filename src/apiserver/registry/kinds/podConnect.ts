/** Access to a pod's containers. */
import { field, status, type ApiObject, type FieldError, type Resource } from '../../../schema/index.ts';
import { isObject, getOwn } from '../../../std/index.ts';
import type { Answer } from '../../codec/answer.ts';
import { textResponse } from '../../codec/textResponse.ts';
import type { LogOptions } from '../../streams/nodeStreams.ts';
import type { ResourceContext } from '../registry.ts';
import { passOn } from '../../streams/proxy.ts';
import { portForward } from '../../streams/portForward.ts';
import { remoteCommand } from '../../streams/remoteCommand.ts';
import { ifTrue, integer } from '../query.ts';
import { proxyTarget } from '../proxyTarget.ts';
import { getObject } from '../read.ts';

interface Container {
  readonly name: string;
  readonly ports?: readonly { readonly containerPort: number }[];
}

interface ContainerStatus extends Container {
  readonly lastState?: { readonly terminated?: object };
}

async function podOf(context: ResourceContext, resource: Resource, name = context.info.name): Promise<ApiObject> {
  const entry = await getObject(context, resource, name, '');
  return context.server.views.of(entry, resource.hub).object;
}

/** GET …/log: the output of a container. Empty (204) while the pod has no node. */
export async function log(context: ResourceContext, resource: Resource): Promise<Answer> {
  const { query, info, server, request } = context;
  if (request.method !== 'GET')
    throw status.failure(
      405,
      'MethodNotAllowed',
      'the server does not allow this method on the requested resource',
      {},
    );
  const options = logOptions(query);
  const errors = validateLogOptions(query, options);
  if (errors.length > 0) throw status.invalid({ group: '', kind: 'PodLogOptions' }, info.name, errors);
  const pod = await podOf(context, resource);
  const container = chooseContainer(pod, query.get('container') ?? '');
  if (!nodeOf(pod)) return { type: 'response', response: new Response(null, { status: 204 }) };
  if (options.previous && !hasEndedBefore(pod, container))
    throw status.badRequest(`previous terminated container "${container}" in pod "${info.name}" not found`);
  const logs = server.containerLogs;
  if (!logs) return { type: 'response', response: textResponse('', 200, 'text/plain') };
  return { type: 'response', response: await logs(pod, container, options, request.signal) };
}

function logOptions(query: URLSearchParams): LogOptions {
  return {
    follow: ifTrue(query.get('follow')),
    previous: ifTrue(query.get('previous')),
    timestamps: ifTrue(query.get('timestamps')),
    tailLines: integer(query, 'tailLines'),
    limitBytes: integer(query, 'limitBytes'),
    sinceSeconds: integer(query, 'sinceSeconds'),
    sinceTime: query.get('sinceTime') ?? undefined,
  };
}

function validateLogOptions(query: URLSearchParams, options: LogOptions): FieldError[] {
  const errors: FieldError[] = [];
  const { tailLines, limitBytes, sinceSeconds, sinceTime } = options;
  if (tailLines !== undefined && tailLines < 0)
    errors.push(field.invalid('tailLines', tailLines, 'must be greater than or equal to 0'));
  if (limitBytes !== undefined && limitBytes < 1)
    errors.push(field.invalid('limitBytes', limitBytes, 'must be greater than 0'));
  if (sinceSeconds !== undefined && sinceTime !== undefined)
    errors.push(field.forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  else if (sinceSeconds !== undefined && sinceSeconds < 1)
    errors.push(field.invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  if (query.has('sinceTime') && Number.isNaN(Date.parse(sinceTime ?? '')))
    throw status.badRequest(`parsing time ${JSON.stringify(sinceTime)}`);
  return errors;
}

const containersOf = (pod: ApiObject, list: string): readonly Container[] => {
  const containers = isObject(pod['spec']) ? getOwn(pod['spec'], list) : undefined;
  return Array.isArray(containers) ? (containers as Container[]) : [];
};

/** Whether a container has a run before the current one. */
function hasEndedBefore(pod: ApiObject, container: string): boolean {
  const podStatus = isObject(pod['status']) ? pod['status'] : {};
  const lists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'];
  const statuses = lists.flatMap((list) => (getOwn(podStatus, list) as readonly ContainerStatus[] | undefined) ?? []);
  return statuses.some(({ name, lastState }) => name === container && lastState?.terminated !== undefined);
}

const nodeOf = (pod: ApiObject): string =>
  isObject(pod['spec']) && typeof pod['spec']['nodeName'] === 'string' ? pod['spec']['nodeName'] : '';

/** The requested container, or the only one; throws 400. */
function chooseContainer(pod: ApiObject, wanted: string): string {
  const name = pod.metadata.name ?? '';
  const main = containersOf(pod, 'containers').map((c) => c.name);
  const init = containersOf(pod, 'initContainers').map((c) => c.name);
  if (wanted === '') {
    if (main.length === 1) return main[0] as string;
    const others = init.length > 0 ? ` or one of the init containers: [${init.join(' ')}]` : '';
    throw status.badRequest(
      `a container name must be specified for pod ${name}, choose one of: [${main.join(' ')}]${others}`,
    );
  }
  const ephemeral = containersOf(pod, 'ephemeralContainers').map((c) => c.name);
  if ([...main, ...init, ...ephemeral].includes(wanted)) return wanted;
  throw status.badRequest(`container ${wanted} is not valid for pod ${name}`);
}

/** exec and attach. */
export async function command(context: ResourceContext, resource: Resource): Promise<Answer> {
  const pod = await podOf(context, resource);
  const container = chooseContainer(pod, context.query.get('container') ?? '');
  requireNode(pod);
  return { type: 'response', response: await remoteCommand(context, pod, container) };
}

export async function portforward(context: ResourceContext, resource: Resource): Promise<Answer> {
  const pod = await podOf(context, resource);
  requireNode(pod);
  return { type: 'response', response: portForward(context, pod) };
}

export async function proxy(context: ResourceContext, resource: Resource): Promise<Answer> {
  const { name, port, tls } = proxyTarget(context.info.name, 'pod');
  const pod = await podOf(context, resource, name);
  requireNode(pod);
  return {
    type: 'response',
    response: await passOn(context, { pod, tls, port: Number(port) || firstPort(pod) || 80 }),
  };
}

/** The first port that a container declares; undefined if there is none. */
const firstPort = (pod: ApiObject): number | undefined =>
  containersOf(pod, 'containers').flatMap(({ ports = [] }) => ports)[0]?.containerPort;

function requireNode(pod: ApiObject): void {
  if (!nodeOf(pod)) throw status.badRequest(`pod ${pod.metadata.name ?? ''} does not have a host assigned`);
}
