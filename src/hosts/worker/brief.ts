/** Requests in short: what the page's lists of requests show, and the Glass. */
import { getOwn } from '../../std/index.ts';
import type { BriefStage, LeftOut, RequestEvent } from '../../cluster/index.ts';

/** What was passed on about a request in progress. */
interface Told {
  /** The name of its object. */
  name: string;
  /** That it reached admission. */
  admission: boolean;
  /** That a stage refused it. */
  refused: boolean;
}

export class Brief {
  readonly #requests = new Map<string, Told>();

  /** A stage in short; undefined for what no list of requests shows. */
  of(event: RequestEvent): BriefStage | undefined {
    if (event.stage === 'received') {
      this.#requests.set(event.request, { name: '', admission: false, refused: false });
      return { ...event, headers: event.headers.filter(([name]) => SHOWN_HEADERS.test(name)) };
    }
    const told = this.#requests.get(event.request);
    if (!told) return undefined;
    const isRefusal = refuses(event);
    told.refused ||= isRefusal;
    switch (event.stage) {
      case 'object':
        return newName(told, event);
      case 'flow':
        return isRefusal ? shortened(event) : undefined;
      case 'idle':
      case 'admission':
        if (told.admission && !isRefusal) return undefined;
        told.admission = true;
        return shortened(event);
      case 'answered':
        this.#requests.delete(event.request);
        return shortened(event);
      default:
        return shortened(event);
    }
  }

  /** Whether a stage refused a request that has no answer yet. */
  isRefused(request: string): boolean {
    return this.#requests.get(request)?.refused ?? false;
  }
}

/** By these headers clients say who they are, and the page's terminal for which command line it asks. */
const SHOWN_HEADERS = /^(user-agent|x-terminal-line)$/i;

type Of<S extends RequestEvent['stage']> = Extract<RequestEvent, { readonly stage: S }>;

/** An object by its kind and name, if its name is new: the server makes some up. */
function newName(told: Told, event: Of<'object'>): BriefStage | undefined {
  const { kind, metadata } = event.object as { kind?: unknown; metadata?: { name?: string } };
  const { name = '' } = metadata ?? {};
  if (name === told.name) return undefined;
  told.name = name;
  return { ...event, object: { kind, metadata: { name } } };
}

function refuses(event: RequestEvent): boolean {
  switch (event.stage) {
    case 'authentication':
      return event.user === undefined;
    case 'flow':
      return !event.admitted;
    case 'authorization':
      return !event.allowed;
    case 'admission':
      return event.outcome === 'refused';
    case 'validation':
      return event.errors.length > 0;
    default:
      return false;
  }
}

const forms: { readonly [S in keyof LeftOut]: (event: Of<S>) => BriefStage } = {
  authentication: ({ attempts: _, ...brief }) => brief,
  flow: ({ detail: _, ...brief }) => brief,
  authorization: ({ verdicts: _, ...brief }) => brief,
  admission: ({ patch: _, ...brief }) => brief,
  idle: ({ plugins: _, ...brief }) => brief,
  webhook: ({ review: _, answer: __, ...brief }) => brief,
  answered: ({ headers: _, ...brief }) => brief,
};

/** A stage without what its short form leaves out. */
function shortened(event: RequestEvent): BriefStage {
  const form = getOwn(forms, event.stage) as ((event: RequestEvent) => BriefStage) | undefined;
  return form ? form(event) : event;
}
