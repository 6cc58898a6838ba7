/** What the arguments of each client command name, for completion. */

/** What stands at a place of a command line. */
export type Wanted =
  /** A type, then names of it; or `type/name`. */
  | 'objects'
  /** As `objects`, of types that run pods. */
  | 'pods'
  /** As `pods`, and `node/name`. */
  | 'debugged'
  | 'nodes'
  | 'types'
  | 'namespaces'
  | 'containers'
  | 'files'
  | 'formats'
  | 'verbs'
  | 'requests'
  | 'nothing';

/** Commands by their path without the client's name. A group's own commands are not listed: they complete by themselves. */
const COMMANDS: ReadonlyMap<string, Wanted> = new Map<string, Wanted>([
  ...each(
    'objects',
    'get',
    'describe',
    'delete',
    'edit',
    'label',
    'annotate',
    'patch',
    'scale',
    'autoscale',
    'expose',
    'wait',
  ),
  ...each('objects', 'set image', 'set env', 'set resources', 'set selector', 'set serviceaccount', 'set subject'),
  ...each(
    'objects',
    'rollout status',
    'rollout history',
    'rollout undo',
    'rollout restart',
    'rollout pause',
    'rollout resume',
  ),
  ...each('pods', 'logs', 'exec', 'attach', 'port-forward', 'cp', 'top pod', 'top pods'),
  ...each('debugged', 'debug', 'alpha debug'),
  ...each('nodes', 'drain', 'cordon', 'uncordon', 'top node', 'top nodes'),
  ...each('types', 'explain', 'create'),
  ...each('objects', 'taint'),
  ...each('verbs', 'auth can-i', 'auth who-can'),
  ...each('requests', 'certificate approve', 'certificate deny'),
  ...each('files', 'apply', 'replace', 'diff', 'kustomize'),
]);

function each(wanted: Wanted, ...paths: readonly string[]): (readonly [string, Wanted])[] {
  return paths.map((path) => [path, wanted] as const);
}

/** What a command's words name; `path` is without the client's name: `rollout status`. */
export const wantedBy = (path: string): Wanted => COMMANDS.get(path) ?? 'nothing';

const FLAGS: ReadonlyMap<string, Wanted> = new Map<string, Wanted>([
  ['namespace', 'namespaces'],
  ['output', 'formats'],
  ['container', 'containers'],
  ['filename', 'files'],
  ['kustomize', 'files'],
  ['from-file', 'files'],
  ['from-env-file', 'files'],
  ['patch-file', 'files'],
]);

/** What a flag's value names. */
export const wantedByFlag = (flag: string): Wanted => FLAGS.get(flag) ?? 'nothing';

export const FORMATS = ['json', 'yaml', 'wide', 'name', 'jsonpath=', 'custom-columns=', 'go-template='] as const;
export const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', '*'] as const;
