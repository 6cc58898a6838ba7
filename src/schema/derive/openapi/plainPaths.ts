/** Paths that are no resources: discovery, version, keys, logs. */
import type { Names } from '../../../names/index.ts';
import type { Scheme } from '../scheme.ts';
import type { Operation, Parameter, PathItem, Schema } from './json.ts';
import { groupId, idOf, tagOf } from './operations.ts';
import { pathParameter } from './parameters.ts';

export interface DiscoveryBodies {
  readonly versions: Schema;
  readonly groups: Schema;
  readonly group: Schema;
  readonly resources: Schema;
  readonly info: Schema;
}

interface Sketch {
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  readonly answer?: Schema;
  readonly parameters?: readonly Parameter[];
}

export function plainPaths(scheme: Scheme, bodies: DiscoveryBodies): Record<string, PathItem> {
  const { names } = scheme;
  const types = ['application/json', 'application/yaml', `application/vnd.${names.product}.protobuf`];
  const media = { consumes: types, produces: types };
  const paths: Record<string, PathItem> = {
    '/api/': get({
      id: 'getCoreAPIVersions',
      tag: 'core',
      description: 'Versions of the core group.',
      ...media,
      answer: bodies.versions,
    }),
    '/apis/': get({
      id: 'getAPIVersions',
      tag: 'apis',
      description: 'Groups and their versions.',
      ...media,
      answer: bodies.groups,
    }),
    ...others(bodies),
  };
  for (const group of scheme.groups) {
    if (isCustom(scheme, group.name)) continue;
    const root = group.name === '' ? '/api' : `/apis/${group.name}`;
    if (group.name !== '') paths[`${root}/`] = get(groupSketch(names, group.name, media, bodies.group));
    for (const version of group.versions)
      paths[`${root}/${version}/`] = get({
        id: `get${idOf(names, { group: group.name, version })}APIResources`,
        tag: tagOf(names, group.name, version),
        description: 'Resources of the version.',
        ...media,
        answer: bodies.resources,
      });
  }
  return paths;
}

const isCustom = (scheme: Scheme, group: string): boolean =>
  scheme.all().some((resource) => resource.gvr.group === group && resource.custom !== undefined);

function groupSketch(
  names: Names,
  group: string,
  media: Pick<Sketch, 'consumes' | 'produces'>,
  answer: Schema,
): Sketch {
  const id = `get${groupId(names, group)}APIGroup`;
  return { id, tag: tagOf(names, group), description: 'Versions of the group.', ...media, answer };
}

const LOG_PATH = pathParameter('logpath', 'Path to the log.');

function others({ info }: DiscoveryBodies): Record<string, PathItem> {
  const wellKnown = { tag: 'WellKnown', produces: ['application/json'], answer: { type: 'string' } };
  const keys = { tag: 'openid', produces: ['application/jwk-set+json'], answer: { type: 'string' } };
  return {
    '/version/': get({
      id: 'getCodeVersion',
      tag: 'version',
      description: 'Version of the server.',
      consumes: ['application/json'],
      produces: ['application/json'],
      answer: info,
    }),
    '/.well-known/openid-configuration/': get({
      id: 'getServiceAccountIssuerOpenIDConfiguration',
      description: "Who issues service accounts' tokens.",
      ...wellKnown,
    }),
    '/openid/v1/jwks/': get({
      id: 'getServiceAccountIssuerOpenIDKeyset',
      description: "Keys that verify service accounts' tokens.",
      ...keys,
    }),
    '/logs/': get({ id: 'logFileListHandler', tag: 'logs', description: 'Log files.' }),
    '/logs/{logpath}': get({ id: 'logFileHandler', tag: 'logs', description: 'A log file.', parameters: [LOG_PATH] }),
  };
}

function get({ id, tag, description, consumes, produces, answer, parameters }: Sketch): PathItem {
  const operation: Operation = {
    description,
    ...(consumes ? { consumes } : {}),
    ...(produces ? { produces } : {}),
    schemes: ['https'],
    tags: [tag],
    operationId: id,
    responses: {
      ...(answer ? { 200: { description: 'OK', schema: answer } } : {}),
      401: { description: 'Unauthorized' },
    },
  };
  return { get: operation, ...(parameters ? { parameters } : {}) };
}
