/** What `run` and `debug` do with the container that they have made: talk with its program, and tell how that ended. */
import { attachTo, pathOf, pods, type ContainerTarget, type Pod } from '../../client/index.ts';
import { StatusError } from '../../schema/index.ts';
import type { Call } from '../command/command.ts';
import { CommandError, complaint } from '../command/errors.ts';
import { duration, text, toggle } from '../command/flags.ts';
import { within } from '../command/within.ts';
import { becoming } from './becoming.ts';
import { converse, withTerminal } from './conversation.ts';

/** The flags of a command that may talk with the pod that it makes. */
export const attachFlags = {
  'leave-stdin-open': toggle(),
  'pod-running-timeout': duration({ initial: 60_000 }),
  quiet: toggle(),
  restart: text({ initial: 'Always' }),
  stdin: toggle({ short: 'i' }),
  tty: toggle({ short: 't' }),
};

type AttachCall = Call<typeof attachFlags>;
type TalkCall = Call<Pick<typeof attachFlags, 'quiet' | 'stdin' | 'tty'>>;
type ContainerState = NonNullable<NonNullable<Pod['status']['containerStatuses']>[number]['state']>;

/** Throws CommandError where the pod does not start in time or its program fails. */
export async function talkTo(call: AttachCall, name: string): Promise<void> {
  const { client, session, namespace, flags: given } = call;
  const named = { resource: pods, namespace, name };
  let pod: Pod | undefined;
  await within(call, given['pod-running-timeout'], 'timed out waiting for the condition', async (signal) => {
    pod = await becoming<Pod>(client, named, hasStarted, signal);
  });
  const target = { namespace, pod: name };
  if (!pod || hasEnded(pod)) await printLog(call, target, true);
  else
    await attached(call, target, async (why) => {
      session.err(`warning: couldn't attach to pod/${name}, falling back to streaming logs: ${why}\n`);
      await printLog(call, target, true);
    });
  if (given.restart !== 'Never' || given['leave-stdin-open']) return;
  tellEnd(await becoming<Pod>(client, named, hasEnded, session.signal));
}

const hasEnded = ({ status }: Pod): boolean => status.phase === 'Succeeded' || status.phase === 'Failed';

const hasStarted = (pod: Pod): boolean =>
  hasEnded(pod) ||
  (pod.status.phase === 'Running' &&
    (pod.status.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True'));

/** Waits until a container runs, and talks with its program; of one that has ended, prints what it said. */
export async function talkToContainer(call: TalkCall, target: ContainerTarget): Promise<void> {
  const { client, session } = call;
  const named = { resource: pods, namespace: target.namespace, name: target.pod };
  const stateIn = ({ status }: Pod): ContainerState | undefined =>
    [status.containerStatuses, status.initContainerStatuses, status.ephemeralContainerStatuses]
      .flatMap((each) => each ?? [])
      .find(({ name }) => name === target.container)?.state;
  const started = (state: ContainerState | undefined): boolean => Boolean(state?.running ?? state?.terminated);
  const pod = await becoming<Pod>(client, named, (each) => started(stateIn(each)), session.signal);
  if (stateIn(pod)?.terminated) return printLog(call, target, false);
  await attached(call, target, async (why) => {
    session.err(`Error attaching, falling back to logs: ${why}\n`);
    await printLog(call, target, false);
  });
}

/** Joins a program. One that ends at once is gone before: then `missed` gets to know why. */
async function attached(
  call: TalkCall,
  target: ContainerTarget,
  missed: (why: string) => Promise<void>,
): Promise<void> {
  const { client, session, flags: given } = call;
  const tty = withTerminal(session, given);
  if (!given.quiet) session.err("If you don't see a command prompt, try pressing enter.\n");
  try {
    const { stdin } = given;
    await converse({ session, stdin, tty }, await attachTo(client, target, { stdin, tty, signal: session.signal }));
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    await missed(error.status.message ?? '');
  }
}

async function printLog(
  { client, session }: TalkCall,
  { namespace, pod, container }: ContainerTarget,
  follow: boolean,
): Promise<void> {
  const { signal } = session;
  const answer = await client.raw(pathOf(pods, client.names, namespace, pod, 'log'), {
    ...{ signal, accept: 'application/json, */*', query: { container, follow: follow || undefined } },
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) session.out(read.value);
}

/** Throws where the pod failed, with the exit code of its program. */
function tellEnd({ metadata: { namespace, name }, status }: Pod): void {
  if (status.phase === 'Succeeded') return;
  const ended = status.containerStatuses?.[0]?.state?.terminated;
  if (!ended || ended.exitCode === 0) throw complaint(`pod ${namespace}/${name} failed with unknown exit code`);
  throw new CommandError(
    `pod ${namespace}/${name} terminated (${ended.reason ?? ''})\n${ended.message ?? ''}`.trimEnd(),
    ended.exitCode,
  );
}
