/** `debug`: containers that look into pods and nodes. */
import { nodes, pods, type Node, type Pod } from '../../../client/index.ts';
import { command, group, type Command } from '../../command/command.ts';
import { complaint } from '../../command/errors.ts';
import { talkToContainer } from '../../server/attached.ts';
import { groupVersionOf } from '../../server/served.ts';
import { readTargets, type Target } from '../../server/targets.ts';
import { debugCopy } from './copy.ts';
import { debugInPod } from './ephemeral.ts';
import { debugNode } from './node.ts';
import { check, flags, wordsOf, type DebugCall, type Debugged } from './options.ts';

const declared = {
  name: 'debug',
  flags,
};

/** Words without a type name pods. One after the other: the first that goes wrong ends the command. */
async function run(call: DebugCall): Promise<void> {
  check(call);
  const words = wordsOf(call).names.map((word) => (word.includes('/') ? word : `pods/${word}`));
  const { list } = await readTargets(call, words);
  for (const target of list) {
    const { pod, container } = await debugTarget(call, target);
    if (!isAttached(call) || container === '') continue;
    await talkToContainer(call, {
      ...{ namespace: pod.metadata.namespace ?? '', pod: pod.metadata.name ?? '', container },
    });
  }
}

const isAttached = ({ flags: { attach, stdin }, given }: DebugCall): boolean =>
  attach || (stdin && !given.has('attach'));

async function debugTarget(call: DebugCall, { resource, namespace, name = '' }: Target): Promise<Debugged> {
  const { client, flags: given } = call;
  const isCore = resource.group === '' && resource.version === 'v1';
  if (isCore && resource.kind === 'Node') return debugNode(call, await client.of<Node>(nodes).get(name));
  if (isCore && resource.kind === 'Pod') {
    const pod = await client.of<Pod>(pods).get(name, namespace);
    return given['copy-to'] === '' ? debugInPod(call, pod) : debugCopy(call, pod);
  }
  await client.of(resource).get(name, namespace);
  const version = resource.group === '' ? `/${resource.version}` : groupVersionOf(resource);
  throw complaint(`${JSON.stringify(`${version}, Kind=${resource.kind}`)} not supported by debug`);
}

export const debug: Command = command({ ...declared, run });

/** What v1.20 still answers to. */
export const alpha = group({
  ...{ name: 'alpha', aliases: [] },
  alone: 'help',
  subcommands: [
    command({
      ...declared,
      run: async (call) => {
        const { program } = call.session;
        call.session.err(
          `NOTE: "${program} alpha debug" is deprecated and will be removed in release 1.21. Please use "${program} debug" instead.\n\n`,
        );
        await run(call);
      },
    }),
  ],
});
