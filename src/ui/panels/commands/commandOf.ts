/** A request that writes, as the command line that sends the same. */
import type { DeleteOptions } from '../../../client/index.ts';
import { getOwn, isObject } from '../../../std/index.ts';
import { asList, asNumber, asText, at } from '../../stores/jsonValues.ts';
import type { ObjectRef, Resource } from '../../stores/resources.ts';
import { commandLine, commandName, deleteCommand, scaleCommand, shellWord } from '../object/actions/commands.ts';
import { toYaml } from '../object/yaml.ts';

export interface SentRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
}

interface Addressed {
  /** The path without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly target: ObjectRef;
  readonly subresource: string;
}

/** What is written of a namespace itself, not of what is in it. */
const OF_NAMESPACES = ['finalize', 'status'];

/** Reads a path of the API; undefined where it is no path of a resource that is served. */
function addressed(path: string, versions: readonly Resource[]): Addressed | undefined {
  const url = new URL(path, 'http://cluster');
  const words = url.pathname.split('/').filter(Boolean).map(decodeURIComponent);
  const [group, version, rest] =
    words[0] === 'api' ? ['', words[1], words.slice(2)] : [words[1], words[2], words.slice(3)];
  const within = rest[0] === 'namespaces' && rest.length > 2 && !OF_NAMESPACES.includes(rest[2] ?? '');
  const [plural, name = '', ...more] = within ? rest.slice(2) : rest;
  const resource = versions.find(
    (each) => each.group === group && each.version === version && each.resource === plural,
  );
  const namespace = within ? (rest[1] ?? '') : '';
  return (
    resource && {
      path: url.pathname,
      query: url.searchParams,
      target: { resource, namespace, name },
      subresource: more.join('/'),
    }
  );
}

/** A command that reads a text from its input. */
const withText = (command: string, text: string): string => `${command} -f - <<'EOF'\n${text.trimEnd()}\nEOF`;

const parsed = (text: string): unknown => (text === '' ? undefined : (JSON.parse(text) as unknown));

/** The command line for a request, of the client named `ctl`; what no command of it sends is sent by curl. */
export function commandOf(sent: SentRequest, ctl: string, versions: readonly Resource[]): string {
  const place = addressed(sent.path, versions);
  const command = place && getOwn(byMethod, sent.method)?.(sent, place, ctl);
  return command ?? requestCommand(sent, ctl);
}

/** The command line that sends a request as it is. */
export const requestCommand = (sent: SentRequest, ctl: string): string => rawCommand(sent, ctl) ?? curlCommand(sent);

type Wording = (sent: SentRequest, place: Addressed, ctl: string) => string | undefined;

const create: Wording = ({ body }, { target, subresource }, ctl) =>
  subresource === ''
    ? withText(commandLine({ ctl, namespace: target.namespace }, 'create'), toYaml(parsed(body)))
    : undefined;

/** The ledger of who owns what stays as it is where nothing is said of it. */
function withoutLedger(object: unknown): unknown {
  if (!isObject(object) || !isObject(object['metadata'])) return object;
  const { managedFields: _, ...metadata } = object['metadata'];
  return { ...object, metadata };
}

const replace: Wording = ({ body }, { target, subresource }, ctl) => {
  const place = { ctl, namespace: target.namespace };
  if (subresource === '') return withText(commandLine(place, 'replace'), toYaml(withoutLedger(parsed(body))));
  if (subresource !== 'approval') return undefined;
  const decided = asText(at(asList(at(parsed(body), 'status', 'conditions')).at(-1), 'type'));
  return commandLine(place, 'certificate', decided === 'Denied' ? 'deny' : 'approve', target.name);
};

const remove: Wording = ({ body }, { target, subresource, path }, ctl) => {
  if (subresource !== '' || target.name === '') return `${ctl} delete --raw ${shellWord(path)}`;
  const options = parsed(body);
  return deleteCommand(target, isObject(options) ? (options as DeleteOptions) : {}, {
    ctl,
    namespace: target.namespace,
  });
};

const PATCHES: Readonly<Record<string, string>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
};

const patch: Wording = ({ body, contentType }, { target, subresource, query }, ctl) => {
  const place = { ctl, namespace: target.namespace };
  const value = parsed(body);
  if (subresource === 'scale') return scaleCommand(target, asNumber(at(value, 'spec', 'replicas')) ?? 0, place);
  if (subresource !== '') return undefined;
  if (contentType === 'application/apply-patch+yaml') {
    const manager = query.get('fieldManager');
    const how = [
      ...(manager === null ? [] : [`--field-manager=${manager}`]),
      ...(query.get('force') === 'true' ? ['--force-conflicts'] : []),
    ];
    return withText(commandLine(place, 'apply', '--server-side', ...how), toYaml(value));
  }
  const type = getOwn(PATCHES, contentType);
  return type && commandLine(place, 'patch', commandName(target), `--type=${type}`, '-p', body);
};

const byMethod: Readonly<Record<string, Wording>> = { POST: create, PUT: replace, DELETE: remove, PATCH: patch };

const RAW: Readonly<Record<string, string>> = { GET: 'get', POST: 'create', PUT: 'replace', DELETE: 'delete' };

/** The request as it is, to its path. */
function rawCommand({ method, path, contentType, body }: SentRequest, ctl: string): string | undefined {
  const verb = getOwn(RAW, method);
  if (verb === undefined || (body === '' && verb !== 'get' && verb !== 'delete')) return undefined;
  const line = `${ctl} ${verb} --raw ${shellWord(path)}`;
  if (body === '') return line;
  return /json|^$/.test(contentType) ? withText(line, body) : undefined;
}

function curlCommand({ method, path, contentType, body }: SentRequest): string {
  const sent = body === '' ? [] : ['-H', `Content-Type: ${contentType}`, '--data-raw', body];
  return ['curl', '-X', method, ...sent, path].map(shellWord).join(' ');
}
