import { command } from '../../command/command.ts';
import { complaint } from '../../command/errors.ts';
import { text, toggle } from '../../command/flags.ts';
import { withEntry } from '../../kubeconfig/kubeconfig.ts';
import { configOf, keepConfig, merged, unexpected } from './place.ts';

const FIELDS = ['cluster', 'user', 'namespace'] as const;

export const setContext = command({
  name: 'set-context',
  offline: true,
  flags: {
    cluster: text(),
    current: toggle(),
    namespace: text({ short: 'n' }),
    user: text(),
  },
  run: async (call) => {
    const { args, flags: given, session } = call;
    if (args.length > 1) throw await unexpected(call);
    const [named = ''] = args;
    if (named === '' && !given.current) throw complaint('you must specify a non-empty context name or --current');
    if (named !== '' && given.current) throw complaint('you cannot specify both a context name and --current');
    const config = await configOf(call);
    const name = given.current ? config.current : named;
    if (name === '') throw complaint('no current context is set');
    const before = config.contexts.get(name);
    const fields = Object.fromEntries(
      FIELDS.filter((field) => call.given.has(field)).map((field) => [field, given[field]]),
    );
    await keepConfig(call, withEntry(config, 'contexts', name, merged(before ?? {}, fields)));
    session.out(`Context ${JSON.stringify(name)} ${before ? 'modified' : 'created'}.\n`);
  },
});
