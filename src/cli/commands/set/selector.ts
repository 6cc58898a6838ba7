/** `set selector`: which pods a service sends to. */
import type { ApiObject } from '../../../schema/index.ts';
import { command } from '../../command/command.ts';
import { complaint } from '../../command/errors.ts';
import { text } from '../../command/flags.ts';
import { liveOrLocal } from '../../server/selected.ts';
import { setEach, setFlags } from './changing.ts';

export const selector = command({
  name: 'selector',
  summary: 'Set the selector on a resource',
  usage: '(-f FILENAME | TYPE NAME) EXPRESSIONS [--resource-version=version]',
  flags: {
    ...setFlags,
    'resource-version': text('If non-empty, the update will only succeed if this is the current resource-version.'),
  },
  run: async (call) => {
    const typed = call.args.at(-1) ?? '';
    const found = await liveOrLocal(call, call.args.slice(0, -1));
    const wanted = pairsOf(typed);
    await setEach(call, found, {
      did: 'selector updated',
      tellsUnchanged: true,
      next: ({ resource, object }) => {
        if (resource.kind !== 'Service') throw complaint(`setting a selector is only supported for Services`);
        const { spec } = object as ApiObject & {
          readonly spec?: { readonly selector?: Readonly<Record<string, string>> };
        };
        return Object.assign({}, object, { spec: { ...spec, selector: wanted } });
      },
    });
  },
});

function pairsOf(typed: string): Readonly<Record<string, string>> {
  const pairs = typed.split(',').map((part) => part.split('='));
  if (typed === '' || pairs.some(({ length }) => length !== 2)) throw complaint(`invalid selector: ${typed}`);
  return Object.fromEntries(pairs.map(([key = '', value = '']) => [key, value]));
}
