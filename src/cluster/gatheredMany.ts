/** Answers many gathered requests together where the server can, some of them in each turn of the event loop. */
import type { Creation } from '../apiserver/index.ts';
import { PlainHeaders, WholeResponse } from '../std/index.ts';
import { userOf } from './identities.ts';
import { sendInTurns, type GatheredRequest, type GatheringOptions, type WaitingRequest } from './waitingRequests.ts';

/** The maximum that is created in one turn: some two milliseconds, in which nobody else is answered. */
const EVENTS_IN_TURN = 64;
const PODS_IN_TURN = 32;

/** Nobody reads an event's, so all share it. */
const CREATED = new WholeResponse(null, { status: 201 });

/** Answers requests that create events, or pods. What follows each other and is alike is created together where it is `many`. */
export async function answerMany(
  due: readonly WaitingRequest[],
  many: number,
  areEvents: boolean,
  options: GatheringOptions,
): Promise<void> {
  const { turns } = options;
  let isFirst = true;
  for (const alike of areEvents ? [due] : runsOf(due)) {
    const step = areEvents ? EVENTS_IN_TURN : PODS_IN_TURN;
    for (let at = 0; at < alike.length; at += step) {
      const slice = alike.slice(at, at + step);
      if (!isFirst) await turns.wait();
      isFirst = false;
      const answers = alike.length < many ? [] : await createdOf(slice, areEvents, options);
      for (const [i, answer] of answers.entries()) slice[i]?.answered(answer);
      await sendOthers(slice.slice(answers.length), answers.length === 0, areEvents, turns);
    }
  }
}

/** Sends those that were not answered. Events go on giving way: each waits for its turn once the one before it was sent. */
async function sendOthers(
  others: readonly WaitingRequest[],
  hasTurn: boolean,
  areEvents: boolean,
  turns: GatheringOptions['turns'],
): Promise<void> {
  if (!hasTurn && others.length > 0) await turns.wait();
  const groups = areEvents ? others.map((one) => [one]) : [others];
  for (const [i, group] of groups.entries()) {
    if (i > 0) await turns.wait();
    sendInTurns(turns, group);
  }
}

/** Neighbours that create pods from the same draft. */
function* runsOf(due: readonly WaitingRequest[]): Iterable<readonly WaitingRequest[]> {
  for (let at = 0, end = 0; at < due.length; at = end) {
    const first = due[at] as WaitingRequest;
    while (end < due.length && areAlike(first, due[end] as WaitingRequest)) end++;
    yield due.slice(at, end);
  }
}

const areAlike = (one: GatheredRequest, other: GatheredRequest): boolean =>
  one.init.json === other.init.json && one.path === other.path && one.identity === other.identity;

/** The answers to the first ones, up to one that has to be sent. */
function createdOf(
  requests: readonly GatheredRequest[],
  areEvents: boolean,
  { clock, names, together }: GatheringOptions,
): Promise<readonly Response[]> {
  const creations: Creation[] = [];
  for (const { identity, path, init } of requests) {
    if (!init.json || path.includes('?')) break;
    const userAgent = new PlainHeaders(init.headers).get('user-agent') ?? '';
    creations.push({ as: userOf(identity, names), userAgent, path, body: init.json });
  }
  const create = async (): Promise<readonly Response[]> => {
    const { events, pods } = await together();
    if (areEvents) return Array.from({ length: await events.create(creations) }, () => CREATED);
    return (await pods.create(creations)).map(
      (object) => new WholeResponse(() => JSON.stringify(object), { status: 201 }, { object }),
    );
  };
  return clock.during(
    create().catch(() => []),
    'task',
  );
}
