/** What `run` does with the pod that it has made: talks with its program, and tells how that ended. */
import { attachTo, pathOf, pods, type Pod } from '../../client/index.ts';
import { StatusError } from '../../schema/index.ts';
import type { Call } from '../command/command.ts';
import { CommandError, complaint } from '../command/errors.ts';
import { duration, text, toggle } from '../command/flags.ts';
import { within } from '../command/within.ts';
import { becoming } from './becoming.ts';
import { converse, withTerminal } from './conversation.ts';

/** The flags of a command that may talk with the pod that it makes. */
export const attachFlags = {
  'leave-stdin-open': toggle(
    'If the pod is started in interactive mode or with stdin, leave stdin open after the first attach completes.',
  ),
  'pod-running-timeout': duration(
    'The length of time (like 5s, 2m, or 3h, higher than zero) to wait until at least one pod is running',
    { initial: 60_000 },
  ),
  quiet: toggle('If true, suppress prompt messages.'),
  restart: text('The restart policy for this Pod. Legal values [Always, OnFailure, Never].', { initial: 'Always' }),
  stdin: toggle('Keep stdin open on the container(s) in the pod, even if nothing is attached.', { short: 'i' }),
  tty: toggle('Allocated a TTY for each container in the pod.', { short: 't' }),
};

type AttachCall = Call<typeof attachFlags>;

/** Throws CommandError where the pod does not start in time or its program fails. */
export async function talkTo(call: AttachCall, name: string): Promise<void> {
  const { client, session, namespace, flags: given } = call;
  const named = { resource: pods, namespace, name };
  let pod: Pod | undefined;
  await within(call, given['pod-running-timeout'], 'timed out waiting for the condition', async (signal) => {
    pod = await becoming<Pod>(client, named, hasStarted, signal);
  });
  if (!pod || hasEnded(pod)) await printLog(call, name);
  else await attached(call, name);
  if (given.restart !== 'Never' || given['leave-stdin-open']) return;
  tellEnd(await becoming<Pod>(client, named, hasEnded, session.signal));
}

const hasEnded = ({ status }: Pod): boolean => status.phase === 'Succeeded' || status.phase === 'Failed';

const hasStarted = (pod: Pod): boolean =>
  hasEnded(pod) ||
  (pod.status.phase === 'Running' &&
    (pod.status.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True'));

async function attached(call: AttachCall, name: string): Promise<void> {
  const { client, session, namespace, flags: given } = call;
  const tty = withTerminal(session, given);
  if (!given.quiet) session.err("If you don't see a command prompt, try pressing enter.\n");
  try {
    const { stdin } = given;
    const running = await attachTo(client, { namespace, pod: name }, { stdin, tty, signal: session.signal });
    await converse({ session, stdin, tty }, running);
  } catch (error) {
    // A program that ends at once is gone before one has joined it: what it said is in its log.
    if (!(error instanceof StatusError)) throw error;
    session.err(
      `warning: couldn't attach to pod/${name}, falling back to streaming logs: ${error.status.message ?? ''}\n`,
    );
    await printLog(call, name);
  }
}

async function printLog({ client, session, namespace }: AttachCall, name: string): Promise<void> {
  const { signal } = session;
  const answer = await client.raw(pathOf(pods, client.names, namespace, name, 'log'), {
    ...{ signal, accept: 'application/json, */*', query: { follow: true } },
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
