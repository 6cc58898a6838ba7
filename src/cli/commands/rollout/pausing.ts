/** `rollout pause`, `resume` and `restart`. */
import type { ApiObject } from '../../../schema/index.ts';
import { command, type Call, type Command } from '../../command/command.ts';
import { forEach } from '../../command/each.ts';
import { complaint } from '../../command/errors.ts';
import { text } from '../../command/flags.ts';
import { resultFlags, resultPrinter } from '../../output/result.ts';
import { changeObject } from '../../server/change.ts';
import { fileFlags } from '../../server/manifests.ts';
import type { Found } from '../../server/selected.ts';
import { qualifiedName } from '../../server/served.ts';
import { namedWorkloads, type Workload } from './named.ts';

const flags = {
  ...fileFlags,
  'field-manager': text(),
  ...resultFlags,
};

interface Changed {
  readonly name: string;
  readonly did: string;
  /** The object with the change made. Throws if it cannot be made. */
  readonly next: (found: Found, call: Call<typeof flags>) => ApiObject;
}

function declare({ name, did, next }: Changed): Command {
  return command({
    ...{ name, flags },
    run: async (call) => {
      const printer = await resultPrinter(call.session, call.flags);
      const fieldManager = call.flags['field-manager'] || `${call.session.program}-rollout`;
      await forEach(await namedWorkloads(call), async (found) => {
        const { resource, object } = found;
        const change = { resource, object, next: next(found, call) };
        const after = await changeObject(call.client, change, { dryRun: 'none', fieldManager });
        printer.print({ resource, object: after ?? object }, did);
      });
    },
  });
}

const title = ({ resource, name }: Found): string => `${qualifiedName(resource)} ${JSON.stringify(name)}`;

function paused(found: Found, value: boolean, word: string): ApiObject {
  const { spec } = found.object as Workload;
  if (found.resource.kind !== 'Deployment') throw complaint(`${title(found)} ${word} is not supported`);
  if ((spec?.paused ?? false) === value)
    throw complaint(`${title(found)} is ${value ? 'already paused' : 'not paused'}`);
  // A patch has to name what it removes.
  return Object.assign({}, found.object, { spec: { ...spec, paused: value || null } });
}

export const pauseRollout = declare({
  name: 'pause',
  did: 'paused',
  next: (found) => paused(found, true, 'pausing'),
});

export const resume = declare({
  name: 'resume',
  did: 'resumed',
  next: (found) => paused(found, false, 'resuming'),
});

export const restart = declare({
  name: 'restart',
  did: 'restarted',
  next: (found, { session, client }) => {
    const { spec } = found.object as Workload;
    if (!['Deployment', 'DaemonSet', 'StatefulSet'].includes(found.resource.kind))
      throw complaint(`${title(found)} restarting is not supported`);
    if (spec?.paused) throw complaint(`${title(found)} can't restart paused deployment (run rollout resume first)`);
    const template = (spec?.template ?? {}) as ApiObject;
    const at = new Date(session.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
    const annotations = {
      ...template.metadata?.annotations,
      [client.names.fill('{ctl}.{label}/restartedAt')]: at,
    };
    const next = { ...template, metadata: { ...template.metadata, annotations } };
    return Object.assign({}, found.object, { spec: { ...spec, template: next } });
  },
});
