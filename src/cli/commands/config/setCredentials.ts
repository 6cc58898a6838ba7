import { command, type Call } from '../../command/command.ts';
import { complaint } from '../../command/errors.ts';
import { text, texts, toggle, type Flags } from '../../command/flags.ts';
import { runsBeside } from '../../kubeconfig/chosen.ts';
import { withEntry, type Entry } from '../../kubeconfig/kubeconfig.ts';
import { configOf, fileEntry, keepConfig, merged, oneName } from './place.ts';

const flags = {
  'client-certificate': text(),
  'client-key': text(),
  'embed-certs': toggle(),
  'exec-api-version': text(),
  'exec-arg': texts({ separator: ',' }),
  'exec-command': text(),
  'exec-env': texts({ separator: ',' }),
  'auth-provider': text(),
  'auth-provider-arg': texts({ separator: ',' }),
  password: text(),
  token: text(),
  username: text(),
} as const satisfies Flags;

type CredentialsCall = Call<typeof flags>;

export const setCredentials = command({
  name: 'set-credentials',
  offline: true,
  flags,
  run: async (call) => {
    const name = await oneName(call, 'user');
    check(call);
    const config = await configOf(call);
    const entry = await withCredentials(call, config.users.get(name) ?? {});
    await keepConfig(call, withEntry(config, 'users', name, entry));
    call.session.out(`User ${JSON.stringify(name)} set.\n`);
  },
});

function check({ flags: said }: CredentialsCall): void {
  if (said['exec-command'] !== '' || said['auth-provider'] !== '') throw runsBeside();
  if (said.token !== '' && (said.username !== '' || said.password !== ''))
    throw complaint(
      'you cannot specify more than one authentication method at the same time: --token, --username/--password',
    );
  if (said['embed-certs'] && said['client-certificate'] === '' && said['client-key'] === '')
    throw complaint('you must specify a --client-certificate or --client-key to embed');
}

/** One way to say who one is takes the place of another. */
async function withCredentials(call: CredentialsCall, before: Entry): Promise<Entry> {
  const { flags: said, given } = call;
  let entry = before;
  for (const field of ['client-certificate', 'client-key'] as const)
    if (given.has(field))
      entry = merged(entry, await fileEntry(call, field, said[field], said['embed-certs']), [field, `${field}-data`]);
  for (const field of ['token', 'username', 'password'] as const)
    if (given.has(field)) entry = merged(entry, { [field]: said[field] });
  const gone = said.token !== '' ? ['username', 'password'] : said.username + said.password !== '' ? ['token'] : [];
  return merged(entry, {}, gone);
}
