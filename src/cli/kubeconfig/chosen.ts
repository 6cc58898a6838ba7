/** The context that commands are for: where they ask, as whom, and in which namespace. */
import { encodeText, toBase64 } from '../../std/index.ts';
import { CommandError, complaint } from '../command/errors.ts';
import { fileFrom, ownOf, placeOf, readConfig, textOf, type Configured, type Entry, type Place } from './kubeconfig.ts';
import { subjectOf } from './subject.ts';

export interface Choice {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly cluster?: string;
  readonly user?: string;
  readonly server?: string;
}

export interface Chosen {
  /** The user's name in the configuration. */
  readonly user: string;
  /** Whom the server sees; empty where only the server knows. */
  readonly subject: string;
  /** Whether it is the page's own: commands ask as whoever the page acts as. */
  readonly own: boolean;
  readonly namespace: string;
  /** The headers that say who asks; none for the page's own user. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** What the configuration and the flags come to. Throws CommandError where they name what there isn't. */
export async function chosenContext(session: Configured, choice: Choice): Promise<Chosen> {
  const { kubeconfig = '', context: wanted = '' } = choice;
  const place = placeOf(session, kubeconfig);
  if (place.explicit && (await session.files.read(place.path)) === undefined)
    throw complaint(`stat ${place.path}: no such file or directory`);
  const config = await readConfig(session, place);
  const name = wanted || config.current;
  const context = config.contexts.get(name);
  if (name !== '' && !context)
    throw new CommandError(`Error in configuration: context was not found for specified context: ${name}`);
  const cluster = choice.cluster || textOf(context, 'cluster');
  const user = choice.user || textOf(context, 'user');
  const [target, credentials] = [config.clusters.get(cluster), config.users.get(user)];
  if (choice.cluster && !target) throw complaint(`no server found for cluster ${JSON.stringify(cluster)}`);
  if (choice.user && !credentials) throw complaint(`auth info ${JSON.stringify(user)} does not exist`);
  const own = ownOf(session);
  checkServer(choice.server || textOf(target, 'server'), own.server);
  const asPage = !place.explicit && user === own.user && Object.keys(credentials ?? {}).length === 0;
  const headers = asPage ? [] : await headersOf(session, place, credentials ?? {});
  return {
    ...{ user, subject: asPage ? user : subjectIn(headers), own: asPage && name === own.name },
    namespace: !place.explicit && name === own.name ? session.namespace : textOf(context, 'namespace') || 'default',
    headers,
  };
}

function subjectIn(headers: Chosen['headers']): string {
  const { authorization = '', 'impersonate-user': as = '' } = Object.fromEntries(headers);
  return as || subjectOf(authorization.replace(/^Bearer /, ''));
}

function checkServer(server: string, own: string): void {
  if (server === '')
    throw new CommandError(
      'The connection to the server localhost:8080 was refused - did you specify the right host or port?',
    );
  if (server !== own) throw new CommandError(`Unable to connect to the server: only ${own} can be reached from here`);
}

/** Nothing runs beside the page, so programs and providers give no credentials. */
export const runsBeside = (): Error =>
  complaint('credentials from programs and providers can’t be had here: nothing runs beside the page');

/** Credentials that no server knows stand for none: somebody without any does not have the page’s rights. */
async function headersOf({ files }: Configured, place: Place, user: Entry): Promise<Chosen['headers']> {
  if (
    ['client-certificate', 'client-certificate-data', 'client-key', 'client-key-data'].some(
      (field) => textOf(user, field) !== '',
    )
  )
    throw complaint(
      'client certificates of a configuration can’t be shown from here: act as their user in the top bar',
    );
  if (user['exec'] || user['auth-provider']) throw runsBeside();
  const named = textOf(user, 'tokenFile');
  const file = named && fileFrom(place, named);
  const token = file === '' ? textOf(user, 'token') : (await files.read(file))?.trim();
  if (token === undefined) throw complaint(`open ${file}: no such file or directory`);
  const groups = Array.isArray(user['as-groups']) ? user['as-groups'].map(String) : [];
  const as = textOf(user, 'as');
  const basic = toBase64(encodeText(`${textOf(user, 'username')}:${textOf(user, 'password')}`));
  return [
    ['authorization', token === '' ? `Basic ${basic}` : `Bearer ${token}`],
    ...(as === '' ? [] : [['impersonate-user', as] as const]),
    ...groups.map((group) => ['impersonate-group', group] as const),
  ];
}
