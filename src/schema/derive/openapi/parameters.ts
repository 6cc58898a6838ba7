/** Parameters of operations, each with what it does. */
import { getOwn } from '../../../std/index.ts';
import type { Parameter, Schema } from './json.ts';

type Type = 'string' | 'boolean' | 'integer';

const QUERY: Readonly<Record<string, readonly [type: Type, description: string]>> = {
  allowWatchBookmarks: [
    'boolean',
    'Whether the server may send bookmarks: events that carry nothing but a version to go on from.',
  ],
  continue: ['string', 'Where a list in chunks goes on: the token that came with the chunk before.'],
  dryRun: ['string', '`All` processes the request in full but stores nothing.'],
  exact: ['boolean', 'Whether an export keeps what belongs to this cluster, such as the namespace.'],
  export: ['boolean', 'Whether the object is given as one would write it to make it anew.'],
  fieldManager: ['string', 'Name of who makes the change, for the ownership of fields.'],
  fieldSelector: ['string', 'Restricts the list of returned objects by their fields.'],
  force: ['boolean', 'Whether apply takes fields away from other managers.'],
  gracePeriodSeconds: ['integer', 'Seconds until the object is gone; zero means at once.'],
  labelSelector: ['string', 'Restricts the list of returned objects by their labels.'],
  limit: ['integer', 'Most objects that the answer may hold; there is a token if there are more.'],
  orphanDependents: ['boolean', 'Older than propagationPolicy: whether dependent objects stay.'],
  pretty: ['string', '`true` asks for text that people can read.'],
  propagationPolicy: ['string', 'What happens to dependent objects: `Orphan`, `Background` or `Foreground`.'],
  resourceVersion: ['string', 'Version that the answer has to be as recent as.'],
  resourceVersionMatch: ['string', 'How resourceVersion is meant: `Exact` or `NotOlderThan`.'],
  timeoutSeconds: ['integer', 'Seconds after which the call ends, whatever happens.'],
  watch: ['boolean', 'Watch for changes to the described resources: they are sent as they happen, instead of a list.'],
  command: ['string', 'Command to run and its arguments, one parameter each.'],
  container: ['string', 'Container of the pod; the only one where there is one.'],
  follow: ['boolean', 'Whether the log is sent on as it grows.'],
  insecureSkipTLSVerifyBackend: ['boolean', "Whether the node agent's certificate is taken unseen."],
  limitBytes: ['integer', 'Most bytes of the log to send.'],
  path: ['string', 'Path to which the request goes on.'],
  ports: ['integer', 'Ports to forward.'],
  previous: ['boolean', 'Whether the log is that of the container before its last restart.'],
  sinceSeconds: ['integer', 'How far back the log goes.'],
  stderr: ['boolean', 'Whether the standard error stream is sent.'],
  stdin: ['boolean', 'Whether a standard input stream is taken.'],
  stdout: ['boolean', 'Whether the standard output stream is sent.'],
  tailLines: ['integer', 'How many lines of the end of the log to send.'],
  timestamps: ['boolean', 'Whether each line of the log begins with its time.'],
  tty: ['boolean', 'Whether there is a terminal.'],
};

export const LIST_QUERY = [
  ...['allowWatchBookmarks', 'continue', 'fieldSelector', 'labelSelector', 'limit'],
  ...['resourceVersion', 'resourceVersionMatch', 'timeoutSeconds', 'watch'],
];
export const DELETE_QUERY = ['dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy'];
export const DELETE_COLLECTION_QUERY = [
  ...['continue', 'dryRun', 'fieldSelector', 'gracePeriodSeconds', 'labelSelector', 'limit', 'orphanDependents'],
  ...['propagationPolicy', 'resourceVersion', 'resourceVersionMatch', 'timeoutSeconds'],
];
export const EXPORT_QUERY = ['exact', 'export'];
export const WRITE_QUERY = ['dryRun', 'fieldManager'];
export const PATCH_QUERY = ['dryRun', 'fieldManager', 'force'];

/** Query parameters by name. */
export function queryParameters(names: readonly string[]): Parameter[] {
  return names.map((name) => {
    const [type, description] = getOwn(QUERY, name) ?? ['string', ''];
    return { uniqueItems: true, type, description, name, in: 'query' };
  });
}

export function pathParameter(name: string, description: string): Parameter {
  return { uniqueItems: true, type: 'string', description, name, in: 'path', required: true };
}

export function bodyParameter(schema: Schema, required = true): Parameter {
  return { description: 'Body of the request.', name: 'body', in: 'body', ...(required ? { required } : {}), schema };
}
