/** The ways into a pod's containers: logs, and those that need a connection a tab can't have. */
import { field, status, type ApiObject, type FieldError, type Resource } from '../../../schema/index.ts';
import { isObject } from '../../../std/index.ts';
import { textResponse, type Answer } from '../../codec/respond.ts';
import type { RequestContext } from '../../context.ts';
import { integer } from '../query.ts';
import { proxyTarget } from '../proxyTarget.ts';
import { getObject } from '../read.ts';

interface Container {
  readonly name: string;
}

async function podOf(context: RequestContext, resource: Resource, name = context.info.name): Promise<ApiObject> {
  const entry = await getObject(context, resource, name, '');
  return context.server.views.of(entry, resource.hub).object;
}

/** GET …/log: what a container wrote. Empty (204) while the pod has no node. */
export async function log(context: RequestContext, resource: Resource): Promise<Answer> {
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
  const pod = await podOf(context, resource);
  if (errors.length > 0) throw status.invalid({ group: '', kind: 'PodLogOptions' }, info.name, errors);
  const container = chooseContainer(pod, query.get('container') ?? '');
  if (!nodeOf(pod)) return { type: 'response', response: new Response(null, { status: 204 }) };
  const logs = server.containerLogs;
  if (!logs) return { type: 'response', response: textResponse('', 200, 'text/plain') };
  return { type: 'response', response: await logs(pod, container, options, request.signal) };
}

export interface LogOptions {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  readonly sinceSeconds: number | undefined;
  readonly sinceTime: string | undefined;
}

function logOptions(query: URLSearchParams): LogOptions {
  return {
    follow: truth(query, 'follow'),
    previous: truth(query, 'previous'),
    timestamps: truth(query, 'timestamps'),
    tailLines: integer(query, 'tailLines'),
    limitBytes: integer(query, 'limitBytes'),
    sinceSeconds: integer(query, 'sinceSeconds'),
    sinceTime: query.get('sinceTime') ?? undefined,
  };
}

/** These parameters are read strictly, unlike those of list and watch. */
function truth(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  if (value === null || value === '' || ['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(value)) return false;
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(value)) return true;
  throw status.badRequest(
    `unable to convert query parameter ${name}: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`,
  );
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
  const containers = isObject(pod['spec']) ? pod['spec'][list] : undefined;
  return Array.isArray(containers) ? (containers as Container[]) : [];
};

const nodeOf = (pod: ApiObject): string =>
  isObject(pod['spec']) && typeof pod['spec']['nodeName'] === 'string' ? pod['spec']['nodeName'] : '';

/** The container asked for, or the only one; throws 400. */
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

/** exec, attach, portforward, proxy. */
export async function connect(context: RequestContext, resource: Resource): Promise<Answer> {
  const { info, query } = context;
  const pod = await podOf(
    context,
    resource,
    info.subresource === 'proxy' ? proxyTarget(info.name, 'pod').name : info.name,
  );
  if (info.subresource === 'exec' || info.subresource === 'attach') chooseContainer(pod, query.get('container') ?? '');
  if (!nodeOf(pod)) throw status.badRequest(`pod ${info.name} does not have a host assigned`);
  throw status.failure(
    501,
    'NotImplemented',
    `${info.subresource} needs a connection into a running container; the nodes here are simulated and have none`,
  );
}
