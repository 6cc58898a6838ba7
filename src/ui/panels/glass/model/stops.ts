/** The refusals that the picture shows. */
import { kindOfActor } from './actors.ts';
import type { Picture } from './picture.ts';
import type { RecordedRequest, Recording } from './recording.ts';
import type { Stop } from './refusals.ts';

export interface ShownStop {
  readonly recorded: RecordedRequest;
  readonly stop: Stop;
  readonly lane: number;
}

/** A component that lost a race tries again by itself: the log tells of it, and the picture stays calm. */
const isRetried = ({ status, actor }: RecordedRequest): boolean => status === 409 && kindOfActor(actor) !== 'person';

/** What was refused lately, or is being refused. */
export function shownStops({ stopped, tokens }: Picture, { requests }: Recording): readonly ShownStop[] {
  const current = [...tokens.values()].filter((token) => token.stopped);
  return [...stopped, ...current].flatMap(({ request, lane }) => {
    const recorded = requests.get(request);
    return recorded?.stop && !isRetried(recorded) ? [{ recorded, stop: recorded.stop, lane }] : [];
  });
}
