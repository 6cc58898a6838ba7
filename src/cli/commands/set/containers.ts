/** `set image`, `set resources`, `set serviceaccount`: what the pods of an object are made of. */
import { parseQuantity } from '../../../schema/index.ts';
import { command } from '../../command/command.ts';
import { complaint } from '../../command/errors.ts';
import { text } from '../../command/flags.ts';
import { recordFlags } from '../../command/record.ts';
import { splitPairs } from '../../command/pairs.ts';
import { mapContainers, withPodSpec } from '../../server/podSpecs.ts';
import { liveOrLocal } from '../../server/selected.ts';
import { selectingFlags, setEach, setFlags, specIn } from './changing.ts';

export const image = command({
  name: 'image',
  flags: { ...selectingFlags, ...recordFlags },
  run: async (call) => {
    const { before, pairs } = splitPairs(call.args);
    const found = await liveOrLocal(call, before);
    if (pairs.set.size === 0) throw complaint('at least one image update is required');
    await setEach(call, found, {
      did: 'image updated',
      failure: 'failed to patch image update to pod template:',
      next: (each, tell) => {
        const spec = specIn(call, each);
        const names = [...spec.containers, ...(spec.initContainers ?? [])].map(({ name }) => name);
        for (const name of pairs.set.keys())
          if (name !== '*' && !names.includes(name))
            tell(complaint(`unable to find container named ${JSON.stringify(name)}`));
        const next = mapContainers(spec, (container) => {
          const wanted = pairs.set.get(container.name) ?? pairs.set.get('*');
          return wanted === undefined ? container : { ...container, image: wanted };
        });
        return withPodSpec(each.object, next);
      },
    });
  },
});

export const resources = command({
  name: 'resources',
  flags: {
    ...selectingFlags,
    ...recordFlags,
    containers: text({
      ...{ short: 'c', initial: '*' },
    }),
    limits: text(),
    requests: text(),
  },
  run: async (call) => {
    const [limits, requests] = [amounts(call.flags.limits), amounts(call.flags.requests)];
    const found = await liveOrLocal(call, call.args);
    if (!limits && !requests)
      throw complaint('you must specify an update to requests or limits (in the form of --requests/--limits)');
    const chosen = matching(call.flags.containers);
    await setEach(call, found, {
      did: 'resource requirements updated',
      failure: 'failed to patch resources update to pod template',
      next: (each) => {
        const spec = specIn(call, each);
        if (!spec.containers.some(({ name }) => chosen(name)))
          throw complaint(`unable to find container named ${call.flags.containers}`);
        const containers = spec.containers.map((container) => {
          if (!chosen(container.name)) return container;
          const { resources: before = {} } = container;
          return {
            ...container,
            resources: {
              ...before,
              ...(limits ? { limits: { ...before.limits, ...limits } } : {}),
              ...(requests ? { requests: { ...before.requests, ...requests } } : {}),
            },
          };
        });
        return withPodSpec(each.object, { ...spec, containers });
      },
    });
  },
});

/** Whether a name fits a pattern in which `*` stands for any text. */
export function matching(pattern: string): (name: string) => boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const expression = new RegExp(`^${parts.join('.*')}$`, 's');
  return (name) => expression.test(name);
}

/** `cpu=100m,memory=64Mi`; undefined for an empty text. Throws if a value is not a quantity. */
export function amounts(typed: string): Readonly<Record<string, string>> | undefined {
  if (typed === '') return undefined;
  const pairs = typed.split(',').map((part) => {
    const [name = '', amount, ...more] = part.split('=');
    if (amount === undefined || more.length > 0)
      throw complaint(`Invalid argument syntax ${part}, expected <resource>=<value>`);
    if (!parseQuantity(amount))
      throw complaint("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    return [name, amount] as const;
  });
  return Object.fromEntries(pairs);
}

export const serviceAccount = command({
  name: 'serviceaccount',
  aliases: ['sa'],
  flags: { ...setFlags, ...recordFlags },
  run: async (call) => {
    const account = call.args.at(-1);
    if (account === undefined) throw complaint('serviceaccount is required');
    await setEach(call, await liveOrLocal(call, call.args.slice(0, -1)), {
      did: 'serviceaccount updated',
      tellsUnchanged: true,
      next: (each) => withPodSpec(each.object, { ...specIn(call, each), serviceAccountName: account }),
    });
  },
});
