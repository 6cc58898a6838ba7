/** `config set`, `config unset` and `config use-context`. */
import { command } from '../../command/command.ts';
import { complaint } from '../../command/errors.ts';
import { toggle } from '../../command/flags.ts';
import { changed } from '../../kubeconfig/property.ts';
import { checkOwnKept, configOf, keepConfig, unexpected } from './place.ts';

export const setValue = command({
  name: 'set',
  offline: true,
  flags: {
    'set-raw-bytes': toggle(),
  },
  run: async (call) => {
    const [path, text, ...more] = call.args;
    if (path === undefined || text === undefined || more.length > 0) throw await unexpected(call);
    if (text === '') throw complaint('you cannot use set to unset a property');
    if (path === '') throw complaint('you must specify a property');
    await keepConfig(call, changed(await configOf(call), path, { text, raw: call.flags['set-raw-bytes'] }));
    call.session.out(`Property ${JSON.stringify(path)} set.\n`);
  },
});

export const unsetValue = command({
  name: 'unset',
  offline: true,
  flags: {},
  run: async (call) => {
    const [path, ...more] = call.args;
    if (path === undefined || more.length > 0) throw await unexpected(call);
    if (path === '') throw complaint('you must specify a property');
    const before = await configOf(call);
    const after = changed(before, path, undefined);
    checkOwnKept(call, before, after);
    await keepConfig(call, after);
    call.session.out(`Property ${JSON.stringify(path)} unset.\n`);
  },
});

export const useContext = command({
  name: 'use-context',
  aliases: ['use'],
  offline: true,
  flags: {},
  run: async (call) => {
    const [name, ...more] = call.args;
    if (name === undefined || more.length > 0) throw await unexpected(call);
    if (name === '') throw complaint('empty context names are not allowed');
    const config = await configOf(call);
    if (!config.contexts.has(name)) throw complaint(`no context exists with the name: ${JSON.stringify(name)}`);
    await keepConfig(call, { ...config, current: name });
    call.session.out(`Switched to context ${JSON.stringify(name)}.\n`);
  },
});
