/** Ingresses and their classes. */
import { pathOf, services, type Client, type Service } from '../../client/index.ts';
import type { objects } from '../../schema/index.ts';
import { describeError } from '../command/errors.ts';
import { describer, resource, type Around } from './describer.ts';
import { annotations, field, given, indent, meta, nameAlone, names, section, type Line } from './lines.ts';
import { endpointsOf, endpointsText } from './services.ts';

type Ingress = objects.Ingress;
type Backend = objects.IngressBackend;

const ingresses = resource<Ingress>('networking.{domain}/v1', 'ingresses', 'Ingress');
const classes = resource<objects.IngressClass>('networking.{domain}/v1', 'ingressclasses', 'IngressClass', false);

/** What answers where no rule and no backend of the ingress does. */
const FALLBACK: Backend = { service: { name: 'default-http-backend', port: { number: 80 } } };

export const ingressDescriber = describer(ingresses, async (ingress, { client }: Around) => {
  const { metadata, spec = {}, status } = ingress;
  const own = metadata?.namespace ?? '';
  const fallback = spec.defaultBackend
    ? await backendText(client, own, spec.defaultBackend)
    : await backendText(client, client.names.systemNamespace, FALLBACK);
  const addresses = (status?.loadBalancer?.ingress ?? [])
    .map(({ ip, hostname = '' }) => ip || hostname)
    .filter(Boolean);
  return [
    ...names(ingress),
    field('Address', [...new Set(addresses)].sort().join(',')),
    field('Default backend', fallback),
    ...(spec.tls?.length ? section('TLS', spec.tls.map(tlsLine)) : []),
    ...(await ruleLines(client, ingress, fallback)),
    ...annotations('Annotations', metadata?.annotations),
  ];
});

const tlsLine = ({ secretName, hosts = [] }: objects.IngressTLS): Line =>
  secretName ? `${secretName} terminates ${hosts.join(',')}` : `SNI routes ${hosts.join(',')}`;

async function ruleLines(client: Client, { metadata, spec }: Ingress, fallback: string): Promise<readonly Line[]> {
  const rules = (spec?.rules ?? []).filter(({ http }) => http);
  const lines: Line[] = [];
  for (const { host, http } of rules) {
    lines.push(`  ${host || '*'}\t`);
    for (const { path = '', backend } of http?.paths ?? [])
      lines.push(`    \t${path} \t${await backendText(client, metadata?.namespace ?? '', backend)}`);
  }
  const all = lines.length > 0 ? lines : [`  *\t* \t${fallback}`];
  return ['Rules:', ...indent(1, ['Host\tPath\tBackends', '----\t----\t--------']), ...all];
}

/** `web:80 (10.0.0.7:80)`: where requests go, and which addresses answer there. */
async function backendText(client: Client, namespace: string, { service, resource: other }: Backend): Promise<string> {
  if (!service) return other ? `APIGroup: ${other.apiGroup ?? ''}, Kind: ${other.kind}, Name: ${other.name}` : '';
  const { name, port } = service;
  const shown = `${name}:${port?.number || (port?.name ?? '')}`;
  try {
    const behind = await endpointsOf(client, namespace, name);
    const { spec } = (await client.json(pathOf(services, client.names, namespace, name))) as Service;
    const found = (spec.ports ?? []).filter((each) =>
      port?.number ? each.port === port.number : each.name === port?.name,
    );
    return `${shown} (${endpointsText(behind, found.at(-1)?.name ?? '')})`;
  } catch (error) {
    return `${shown} (<error: ${describeError(error).replace(/^Error from server.*?: /, '')}>)`;
  }
}

export const ingressClassDescriber = describer(classes, (object) => {
  const { parameters } = object.spec ?? {};
  return [
    nameAlone(object),
    ...meta(object),
    field('Controller', object.spec?.controller ?? ''),
    ...(parameters
      ? section('Parameters', [
          ...given('APIGroup', parameters.apiGroup),
          field('Kind', parameters.kind),
          field('Name', parameters.name),
        ])
      : []),
  ];
});
