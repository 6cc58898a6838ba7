import type { Service } from '../../client/index.ts';
import type { objects } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';

/** Replaces `$(NAME)` with a variable; `$$` becomes a dollar sign, and unknown variables stay. */
export function expand(text: string, variable: (name: string) => string | undefined): string {
  return text.replace(/\$(\$|\(([^()]*)\))/g, (whole, mark: string, name: string) =>
    mark === '$' ? '$' : (variable(name) ?? whole),
  );
}

/** The service variables of a container: for services of its namespace, and the API server's. */
export function serviceVariables(
  services: readonly Service[],
  namespace: string,
  links: boolean,
  apiServer: string,
): Map<string, string> {
  const variables = new Map<string, string>();
  const wanted = services.filter(({ metadata, spec }) => {
    const isApiServer = metadata.namespace === 'default' && metadata.name === apiServer;
    const hasAddress = spec.clusterIP && spec.clusterIP !== 'None';
    return hasAddress && (isApiServer || (links && metadata.namespace === namespace));
  });
  // The namespace's own service of that name precedes the API server's.
  for (const service of wanted.sort(
    (a, b) => Number(a.metadata.namespace === namespace) - Number(b.metadata.namespace === namespace),
  ))
    addService(variables, service);
  return variables;
}

function addService(variables: Map<string, string>, { metadata, spec }: Service): void {
  const prefix = metadata.name.toUpperCase().replaceAll('-', '_');
  const address = spec.clusterIP ?? '';
  const host = address.includes(':') ? `[${address}]` : address;
  const { ports = [] } = spec;
  const [first] = ports;
  variables.set(`${prefix}_SERVICE_HOST`, address);
  if (!first) return;
  variables.set(`${prefix}_SERVICE_PORT`, String(first.port));
  for (const { name, port } of ports)
    if (name) variables.set(`${prefix}_SERVICE_PORT_${name.toUpperCase().replaceAll('-', '_')}`, String(port));
  variables.set(`${prefix}_PORT`, `${protocolOf(first)}://${host}:${first.port}`);
  for (const port of ports) {
    const name = `${prefix}_PORT_${port.port}_${protocolOf(port).toUpperCase()}`;
    variables.set(name, `${protocolOf(port)}://${host}:${port.port}`);
    variables.set(`${name}_PROTO`, protocolOf(port));
    variables.set(`${name}_PORT`, String(port.port));
    variables.set(`${name}_ADDR`, address);
  }
}

const protocolOf = ({ protocol }: objects.ServicePort): string => (protocol ?? 'TCP').toLowerCase();

/** The key of `metadata.labels['key']`. */
export function subscript(path: string): { readonly map: string; readonly key: string } | undefined {
  const [, map = '', key = ''] = /^(metadata\.(?:annotations|labels))\['(.*)'\]$/.exec(path) ?? [];
  return map === '' ? undefined : { map, key };
}

/** A map in the format of downward API files: one sorted line for each key. */
export const mapText = (map: Readonly<Record<string, string>> = {}): string =>
  Object.keys(map)
    .sort()
    .map((key) => `${key}=${JSON.stringify(getOwn(map, key) ?? '')}`)
    .join('\n');
