/** What panels ask the server for, as the command lines that ask the same. */
import { theCluster } from '../../stores/session.ts';
import { pathTo, type Resource } from '../../stores/resources.ts';
import { commandLine, shellWord, type CommandPlace } from '../object/actions/commands.ts';

/** A list, or what a watch is of. */
export interface Listing {
  readonly resource: Resource;
  /** Empty: all namespaces, or none. */
  readonly namespace: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

const theCtl = (): string => theCluster().names.ctl;

/** A resource as `get` takes it; those of groups with a dot may be called as another group's are. */
const typeWord = ({ group, resource }: Resource): string => (group.includes('.') ? `${resource}.${group}` : resource);

/** The command that lists the same, or watches it. */
export function getCommand(listing: Listing, more: readonly string[] = [], ctl = theCtl()): string {
  const { resource, namespace, labelSelector = '', fieldSelector = '' } = listing;
  return commandLine(
    { ctl, namespace },
    'get',
    typeWord(resource),
    ...(resource.namespaced && namespace === '' ? ['-A'] : []),
    ...(labelSelector === '' ? [] : ['-l', labelSelector]),
    ...(fieldSelector === '' ? [] : [`--field-selector=${fieldSelector}`]),
    ...more,
  );
}

/** The command that sends the list's request as it is, with these parameters. */
export function rawListCommand(
  { resource, namespace }: Listing,
  query: Readonly<Record<string, string | number | boolean | undefined>>,
  ctl = theCtl(),
): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`${name}=${encodeURIComponent(String(value))}`],
  );
  return `${ctl} get --raw ${shellWord([pathTo(resource, namespace), given.join('&')].filter(Boolean).join('?'))}`;
}

interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

/** The words that make a command ask as somebody. */
const asUser = (user: User): readonly string[] => [
  `--as=${user.name}`,
  // The server adds this one by itself.
  ...user.groups.filter((group) => group !== 'system:authenticated').map((group) => `--as-group=${group}`),
];

/** Everything that somebody may do, in a namespace. */
export const rightsCommand = (user: User, namespace: string, ctl = theCtl()): string =>
  commandLine({ ctl, namespace }, 'auth', 'can-i', '--list', ...asUser(user));

interface Wish {
  readonly verb: string;
  readonly resource: Resource;
  readonly subresource: string;
  /** Empty: the whole cluster. */
  readonly namespace: string;
  readonly name: string;
}

/** The words of `auth can-i` and `auth who-can` after the verb. */
function wishWords({ verb, resource, subresource, name }: Wish): readonly string[] {
  const type = typeWord(resource);
  return [
    verb,
    name === '' ? type : `${type}/${name}`,
    ...(subresource === '' ? [] : [`--subresource=${subresource}`]),
  ];
}

/** Who may do something, and whether the shown identity may. */
export const accessCommands = (wish: Wish, ctl = theCtl()): readonly string[] => {
  const namespace = wish.resource.namespaced ? wish.namespace : '';
  const place: CommandPlace = { ctl, namespace };
  const words = [...wishWords(wish), ...(namespace === '' ? ['-A'] : [])];
  return ['who-can', 'can-i'].map((question) => commandLine(place, 'auth', question, ...words));
};
