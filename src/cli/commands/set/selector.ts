/** `set selector`: which pods a service sends to. */
import type { ApiObject } from '../../../schema/index.ts';
import { command } from '../../command/command.ts';
import { complaint } from '../../command/errors.ts';
import { text, toggle } from '../../command/flags.ts';
import { recordFlags } from '../../command/record.ts';
import { liveOrLocal } from '../../server/selected.ts';
import { checkSelector } from '../generators/selectors.ts';
import { setEach, setFlags } from './changing.ts';

const { kustomize: _, ...flags } = setFlags;

export const selector = command({
  name: 'selector',
  flags: {
    ...flags,
    ...recordFlags,
    recursive: toggle({ short: 'R', initial: true }),
    'resource-version': text(),
  },
  run: async (call) => {
    const typed = call.args.at(-1) ?? '';
    const words = call.args.slice(0, -1);
    // With names of their own, objects are not all that there are.
    const all = call.flags.all && !words.some((word) => word.includes('/'));
    const found = await liveOrLocal({ ...call, flags: { ...call.flags, all } }, words);
    const wanted = pairsOf(typed);
    await setEach(call, found, {
      did: 'selector updated',
      tellsUnchanged: true,
      next: ({ resource, object }) => {
        if (resource.kind !== 'Service') throw complaint(`setting a selector is only supported for Services`);
        const { spec } = object as ApiObject & {
          readonly spec?: { readonly selector?: Readonly<Record<string, string>> };
        };
        const revision = call.flags['resource-version'];
        const metadata = revision === '' ? object.metadata : { ...object.metadata, resourceVersion: revision };
        return Object.assign({}, object, { metadata, spec: { ...spec, selector: wanted } });
      },
    });
  },
});

function pairsOf(typed: string): Readonly<Record<string, string>> {
  checkSelector(typed);
  const pairs = typed.split(',').map((part) => part.split('='));
  if (typed === '' || pairs.some(({ length }) => length !== 2)) throw complaint(`invalid selector: ${typed}`);
  return Object.fromEntries(pairs.map(([key = '', value = '']) => [key, value]));
}
