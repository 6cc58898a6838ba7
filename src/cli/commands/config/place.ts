/** What the commands under `config` share. */
import { toBase64 } from '../../../std/index.ts';
import { complaint, PrintedError } from '../../command/errors.ts';
import type { Call } from '../../command/command.ts';
import { entryNames, type Section } from '../../kubeconfig/fields.ts';
import { ownConfig, ownOf, placeOf, readConfig, textOf, writeConfig } from '../../kubeconfig/kubeconfig.ts';
import type { Entry, Kubeconfig, Place } from '../../kubeconfig/kubeconfig.ts';

/** The configuration that a command is about: that of `--kubeconfig`, or the page's own with what was added to it. */
export const placeIn = ({ session, flags: { kubeconfig } }: Call): Place => placeOf(session, kubeconfig);

export const configOf = (call: Call): Promise<Kubeconfig> => readConfig(call.session, placeIn(call));

export const keepConfig = (call: Call, config: Kubeconfig): Promise<void> =>
  writeConfig(call.session, placeIn(call), config);

/** The names of what is there as long as the page shows the cluster. */
const ownNames = ({ session }: Call): Readonly<Record<Section, string>> => {
  const { name, cluster, user } = ownOf(session);
  return { contexts: name, clusters: cluster, users: user };
};

/** Throws for an entry of the page's own, which is there as long as the page shows the cluster. */
export function checkOwn(call: Call, section: Section, name: string): void {
  if (!placeIn(call).explicit && name === ownNames(call)[section])
    throw complaint(`the ${entryNames[section]} ${name} is the page’s own: it follows what the page shows`);
}

/** Throws where something of the page's own was there and is gone. */
export function checkOwnKept(call: Call, before: Kubeconfig, after: Kubeconfig): void {
  const own = ownNames(call);
  const whole = ownConfig(call.session);
  for (const section of ['contexts', 'clusters', 'users'] as const) {
    const name = own[section];
    // A namespace that is gone is the default one.
    const { namespace: _, ...fields } = whole[section].get(name) ?? {};
    const was = before[section].get(name);
    const is = after[section].get(name);
    const lost = Object.entries(fields).some(
      ([field, value]) => textOf(was, field) === value && textOf(is, field) === '',
    );
    if (!is || lost) checkOwn(call, section, name);
  }
  if (before.current === own.contexts && after.current === '') checkOwn(call, 'contexts', own.contexts);
}

/** The only argument of a command, a name. Rejects with CommandError if there is none, or more than one. */
export async function oneName(call: Call, what: string): Promise<string> {
  const [name, ...more] = call.args;
  if (name === undefined || more.length > 0) throw await unexpected(call);
  if (name === '') throw complaint(`you must specify a non-empty ${what} name`);
  return name;
}

/** The error of a command with too few or too many arguments: its help is printed before. */
export const unexpected = async ({ args, help }: Call): Promise<Error> =>
  new PrintedError(complaint(`Unexpected args: [${args.join(' ')}]`).message, await help());

/** An entry with the fields that were given, and without those that `gone` names. */
export const merged = (entry: Entry, given: Entry, gone: readonly string[] = []): Entry => ({
  ...Object.fromEntries(Object.entries(entry).filter(([name]) => !gone.includes(name))),
  ...given,
});

/** A file that an entry names: its path as the configuration keeps it, relative where the file lies beside or below the configuration. */
function pathFrom({ session: { files } }: Call, place: Place, path: string): string {
  if (path === '') return '';
  const whole = files.absolute(path);
  const folder = files.absolute(place.path).replace(/[^/]*$/, '');
  return whole.startsWith(folder) ? whole.slice(folder.length) : whole;
}

/** What an entry says of a file that was named: its path, or its content where that is to be embedded. Throws CommandError where there is none. */
export const fileEntry = async (call: Call, field: string, path: string, embeds: boolean): Promise<Entry> =>
  embeds ? await contentEntry(call, field, path) : { [field]: pathFrom(call, placeIn(call), path) };

/** The content of a file, as it stands in an entry in place of its path. Throws CommandError where there is none. */
export async function contentEntry({ session: { files } }: Call, field: string, path: string): Promise<Entry> {
  const found = await files.bytes(path);
  if (!found) throw complaint(`could not stat ${field} file ${path}: stat ${path}: no such file or directory`);
  return { [`${field}-data`]: toBase64(found) };
}
