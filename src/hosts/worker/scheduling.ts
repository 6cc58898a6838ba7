/** Questions about scheduling as requests, and how full the cluster is whenever that changes. */
import type { Cluster, Past, SchedulingQuestions } from '../../cluster/index.ts';

/** A question about scheduling: its name, and its arguments in order. */
export interface SchedulingQuestion {
  readonly ask: keyof SchedulingQuestions;
  readonly with: readonly unknown[];
}

/** Answers with the answer, or with the message of what is wrong with the question. */
export async function answerAboutScheduling(
  { scheduling }: Pick<Past, 'scheduling'>,
  asked: SchedulingQuestion,
): Promise<Response> {
  const questions = await scheduling.questions();
  // The page is of the same build, so the types of its arguments were checked there.
  const question = questions[asked.ask] as (...given: readonly unknown[]) => unknown;
  try {
    return Response.json(await question(...asked.with));
  } catch (problem) {
    const message = problem instanceof Error ? problem.message : String(problem);
    return Response.json({ message }, { status: 400 });
  }
}

/** Changes within this many milliseconds are reported together. */
const GATHER_MS = 150;

/** Calls `tell` with the overview now and after changes; returns what ends that. */
export function followOverview({ scheduling }: Cluster, tell: (overview: unknown) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  const read = async (): Promise<void> => {
    const questions = await scheduling.questions();
    timer = undefined;
    if (!ended) tell(questions.overview());
  };
  // What can't be fetched now is asked for again with the next change.
  const soon = (): void => void (timer ??= setTimeout(() => void read().catch(() => (timer = undefined)), GATHER_MS));
  const end = scheduling.follow(soon);
  soon();
  return () => {
    ended = true;
    clearTimeout(timer);
    end();
  };
}
