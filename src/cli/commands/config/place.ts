/** What the commands under `config` share. */
import { complaint } from '../../command/errors.ts';
import type { Call } from '../../command/command.ts';
import type { Entry } from '../../kubeconfig/kubeconfig.ts';
import { placeOf, readConfig, writeConfig, type Kubeconfig, type Place } from '../../kubeconfig/kubeconfig.ts';

/** The configuration that a command is about: that of `--kubeconfig`, or the page's own with what was added to it. */
export const placeIn = ({ session, flags: { kubeconfig } }: Call): Place => placeOf(session, kubeconfig);

export const configOf = (call: Call): Promise<Kubeconfig> => readConfig(call.session, placeIn(call));

export const keepConfig = (call: Call, config: Kubeconfig): Promise<void> =>
  writeConfig(call.session, placeIn(call), config);

/** The one name that a command is given. Throws CommandError. */
export function oneName({ args }: Call, what: string): string {
  const [name, ...more] = args;
  if (name === undefined || more.length > 0) throw unexpected(args);
  if (name === '') throw complaint(`you must specify a non-empty ${what} name`);
  return name;
}

export const unexpected = (args: readonly string[]): Error => complaint(`Unexpected args: [${args.join(' ')}]`);

/** An entry with the fields that were given, and without those that `gone` names. */
export const merged = (entry: Entry, given: Entry, gone: readonly string[] = []): Entry => ({
  ...Object.fromEntries(Object.entries(entry).filter(([name]) => !gone.includes(name))),
  ...given,
});

/** A file that an entry names: its path as the configuration keeps it, relative where the file lies beside or below the configuration. */
export function pathFrom({ session: { files } }: Call, place: Place, path: string): string {
  if (path === '') return '';
  const whole = files.absolute(path);
  const folder = files.absolute(place.path).replace(/[^/]*$/, '');
  return whole.startsWith(folder) ? whole.slice(folder.length) : whole;
}

/** The bytes of a file that is to be embedded. Throws CommandError where there is none. */
export async function embedded({ session: { files } }: Call, flag: string, path: string): Promise<Uint8Array> {
  const found = await files.bytes(path);
  if (!found) throw complaint(`could not stat ${flag} file ${path}: stat ${path}: no such file or directory`);
  return found;
}
