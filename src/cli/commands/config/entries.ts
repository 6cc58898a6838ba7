/** `config delete-cluster`, `delete-context`, `delete-user` and `rename-context`. */
import { command, type Command } from '../../command/command.ts';
import { complaint, misused } from '../../command/errors.ts';
import { entryNames, type Section } from '../../kubeconfig/fields.ts';
import { withEntry } from '../../kubeconfig/kubeconfig.ts';
import { checkOwn, configOf, keepConfig, placeIn, unexpected } from './place.ts';

const deletion = (section: Section): Command =>
  command({
    name: `delete-${entryNames[section]}`,
    offline: true,
    flags: {},
    run: async (call) => {
      const [name, ...more] = call.args;
      const what = entryNames[section];
      if (name === undefined || more.length > 0) throw misused(`${what} to delete is required`, call.path);
      const config = await configOf(call);
      const { path } = placeIn(call);
      if (!config[section].has(name)) throw complaint(`cannot delete ${what} ${name}, not in ${path}`);
      checkOwn(call, section, name);
      if (section === 'contexts' && config.current === name) call.session.err(activeRemoved(call.session.program));
      await keepConfig(call, withEntry(config, section, name, undefined));
      call.session.out(`deleted ${what} ${name} from ${path}\n`);
    },
  });

const activeRemoved = (program: string): string =>
  `warning: this removed your active context, use "${program} config use-context" to select a different one\n`;

export const deleteCluster = deletion('clusters');
export const deleteContext = deletion('contexts');
export const deleteUser = deletion('users');

export const renameContext = command({
  name: 'rename-context',
  offline: true,
  flags: {},
  run: async (call) => {
    const [from, to, ...more] = call.args;
    if (from === undefined || to === undefined || more.length > 0) throw await unexpected(call);
    if (to === '') throw complaint('You must specify a new non-empty context name');
    const config = await configOf(call);
    const { path } = placeIn(call);
    const context = config.contexts.get(from);
    const refused = `cannot rename the context ${JSON.stringify(from)}`;
    if (!context) throw complaint(`${refused}, it's not in ${path}`);
    checkOwn(call, 'contexts', from);
    if (config.contexts.has(to))
      throw complaint(`${refused}, the context ${JSON.stringify(to)} already exists in ${path}`);
    const renamed = withEntry(withEntry(config, 'contexts', from, undefined), 'contexts', to, context);
    await keepConfig(call, { ...renamed, current: config.current === from ? to : config.current });
    call.session.out(`Context ${JSON.stringify(from)} renamed to ${JSON.stringify(to)}.\n`);
  },
});
