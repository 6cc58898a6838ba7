/** Questions about scheduling, asked over the port: of the cluster as it is, or as it was. */
import type { RemoteQuestions, SchedulingQuestions } from '../../cluster/index.ts';
import { inBackground } from '../../std/index.ts';
import type { SchedulingQuestion } from '../worker/scheduling.ts';
import { askHost } from './ask.ts';
import type { Connection } from './connection.ts';

export type Overview = ReturnType<SchedulingQuestions['overview']>;
type Questions = Omit<RemoteQuestions, 'follow'>;

/** The questions; `headers` select the time. */
export function questionsOver(connection: Connection, headers?: Readonly<Record<string, string>>): Questions {
  const inquire = inquiryOver(connection, headers);
  return {
    explain: (asked) => inquire('explain', asked),
    verdicts: (...given) => inquire('verdicts', ...given),
    tipping: (...given) => inquire('tipping', ...given),
    remedies: (asked) => inquire('remedies', asked),
    fit: (...given) => inquire('fit', ...given),
    drain: (...given) => inquire('drain', ...given),
  };
}

/** The questions about a past time, where nothing changes: the overview is sent once. */
export function questionsAboutPast(connection: Connection, headers: Readonly<Record<string, string>>): RemoteQuestions {
  const inquire = inquiryOver(connection, headers);
  return {
    ...questionsOver(connection, headers),
    follow: (listener) => {
      let isOver = false;
      const told = inquire<Overview>('overview').then((overview) => isOver || listener(overview));
      inBackground(told, () => undefined);
      return () => void (isOver = true);
    },
  };
}

type Inquire = <T>(question: SchedulingQuestion['ask'], ...given: readonly unknown[]) => Promise<T>;

function inquiryOver(connection: Connection, headers: Readonly<Record<string, string>> = {}): Inquire {
  return async <T>(question: SchedulingQuestion['ask'], ...given: readonly unknown[]): Promise<T> => {
    const body = JSON.stringify({ ask: question, with: given });
    return (await (await askHost(connection, '/scheduling', { method: 'POST', body, headers })).json()) as T;
  };
}
