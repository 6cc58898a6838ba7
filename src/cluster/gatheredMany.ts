/** Answers many gathered requests together where the server can, some of them in each turn of the event loop. */
import type { ComponentWrite } from '../apiserver/index.ts';
import { inBackground, PlainHeaders, throwToHost, WholeResponse, type Gathered } from '../std/index.ts';
import { userOf } from './identities.ts';
import { sendInTurns, type GatheredRequest, type GatheringOptions, type WaitingRequest } from './waitingRequests.ts';

/** The maximum that is written in one turn: some two milliseconds, in which nobody else is answered. */
const IN_TURN: Readonly<Record<Gathered, number>> = { events: 64, pods: 32, bindings: 32, statuses: 16 };

/** Nobody reads an event's, so all share it. */
const CREATED = new WholeResponse(null, { status: 201 });

/** An answer to each; undefined, or missing, for one that has to be sent. */
type Answers = readonly (Response | undefined)[];

/**
 * Answers requests of one sort. At least `many` neighbours that are alike are answered together. Each turn removes its requests
 * from `due`, so that answered ones can be collected while the others wait.
 */
export async function answerMany(
  due: WaitingRequest[],
  many: number,
  sort: Gathered,
  options: GatheringOptions,
): Promise<void> {
  const { turns } = options;
  let isFirst = true;
  while (due.length > 0) {
    const alike = sort === 'pods' ? alikeAtStart(due) : due.length;
    for (let left = alike; left > 0; left -= IN_TURN[sort]) {
      if (!isFirst) await turns.wait();
      isFirst = false;
      const answering = answer(due.splice(0, Math.min(left, IN_TURN[sort])), alike >= many, sort, options);
      // An object's own writes wait for each other, so that one pod's need not wait for those of others to be stored.
      if (sort === 'events' || sort === 'pods') await answering;
      else inBackground(answering, throwToHost);
    }
  }
}

/** Answers requests in the turn that they have, or sends those that were not answered in turns of their own. */
async function answer(
  slice: readonly WaitingRequest[],
  together: boolean,
  sort: Gathered,
  options: GatheringOptions,
): Promise<void> {
  const answers = together ? await answersTo(slice, sort, options) : [];
  const others: WaitingRequest[] = [];
  for (const [i, request] of slice.entries()) {
    const answered = answers[i];
    if (answered) request.answered(answered);
    else others.push(request);
  }
  await sendOthers(others, others.length === slice.length, sort, options.turns);
}

/** Sends those that were not answered. Events go on giving way: each waits for its turn once the one before it was sent. */
async function sendOthers(
  others: readonly WaitingRequest[],
  hasTurn: boolean,
  sort: Gathered,
  turns: GatheringOptions['turns'],
): Promise<void> {
  if (!hasTurn && others.length > 0) await turns.wait();
  const groups = sort === 'events' ? others.map((one) => [one]) : [others];
  for (const [i, group] of groups.entries()) {
    if (i > 0) await turns.wait();
    sendInTurns(turns, group);
  }
}

/** The number of requests at the start that create pods from the same draft. */
function alikeAtStart(due: readonly WaitingRequest[]): number {
  const other = due.findIndex((request) => !areAlike(due[0] as WaitingRequest, request));
  return other === -1 ? due.length : other;
}

const areAlike = (one: GatheredRequest, other: GatheredRequest): boolean =>
  one.init.json === other.init.json && one.path === other.path && one.identity === other.identity;

/** How the server answers each sort. */
const WAYS: Readonly<
  Record<
    Gathered,
    (together: Awaited<ReturnType<GatheringOptions['together']>>, writes: readonly ComponentWrite[]) => Promise<Answers>
  >
> = {
  events: async ({ events }, writes) => Array.from({ length: await events.create(writes) }, () => CREATED),
  pods: async ({ pods }, writes) => answersWith(201, await pods.create(writes)),
  bindings: async ({ podUpdates }, writes) => answersWith(201, await podUpdates.bind(writes)),
  statuses: async ({ podUpdates }, writes) => answersWith(200, await podUpdates.patchStatus(writes)),
};

const answersWith = (status: number, objects: readonly (object | undefined)[]): Answers =>
  objects.map((object) => object && new WholeResponse(() => JSON.stringify(object), { status }, { object }));

/** The answers to the requests up to the first that the server can't take as a value. */
function answersTo(
  requests: readonly GatheredRequest[],
  sort: Gathered,
  { clock, names, together }: GatheringOptions,
): Promise<Answers> {
  const writes: ComponentWrite[] = [];
  for (const { identity, path, init } of requests) {
    if (!init.json || path.includes('?')) break;
    const userAgent = new PlainHeaders(init.headers).get('user-agent') ?? '';
    writes.push({ as: userOf(identity, names), userAgent, path, body: init.json });
  }
  const write = async (): Promise<Answers> => WAYS[sort](await together(), writes);
  return clock.during(
    write().catch(() => []),
    'task',
  );
}
