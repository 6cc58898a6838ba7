/** Who caused what: each write traced back to the one that it reacts to. */
import type { Cause, Waking } from '../../../../trace/index.ts';
import type { RecordedRequest } from './recording.ts';
import { refOf } from './subjects.ts';

/** What is known of writes; a recording is this. */
export interface Known {
  /** By the revision that they made. */
  readonly writes: ReadonlyMap<number, RecordedRequest>;
  /** By the object that they are about, oldest first. */
  readonly about: ReadonlyMap<string, readonly RecordedRequest[]>;
}

/** What a request was a reaction to. */
export interface Reaction {
  /** In words, such as `ReplicaSet default/web added`. */
  readonly why: string;
  /** The request that caused it; undefined where it came before the recording. */
  readonly to: RecordedRequest | undefined;
}

/**
 * The run to which a write belongs. Several may have been under way; then it is the one whose key the object's name
 * continues, as those of dependents do.
 */
export function likeliest(
  causes: readonly Cause[],
  { namespace, name }: Pick<RecordedRequest['subject'], 'namespace' | 'name'>,
): Cause | undefined {
  if (causes.length < 2) return causes[0];
  const fitting = causes.filter(({ key }) => continues(namespace, name, key));
  return fitting.sort((a, b) => b.key.length - a.key.length)[0];
}

/** Whether an object is that of a key, or is named after it as dependents are: `data-web-0` after `web`. */
function continues(namespace: string, name: string, key: string): boolean {
  const slash = key.indexOf('/');
  if (slash >= 0 && key.slice(0, slash) !== namespace) return false;
  return key === namespace || `-${name}-`.includes(`-${key.slice(slash + 1)}-`);
}

/** The latest change that woke a run and whose request is known; otherwise the latest of all. */
function latest(woken: readonly Waking[], { writes }: Known): Reaction | undefined {
  const known = woken.findLast(({ revision }) => revision !== undefined && writes.has(revision));
  const last = known ?? woken.at(-1);
  return last && { why: last.why, to: last.revision === undefined ? undefined : writes.get(last.revision) };
}

/** A write before this one of the same object: what agents and the scheduler react to. */
function earlier({ subject, number, id }: RecordedRequest, { about }: Known): Reaction | undefined {
  const same = about.get(refOf(subject)) ?? [];
  const to = same.findLast((each) => each.number < number && each.id !== id && each.revision !== undefined);
  return to && { why: `follows revision ${to.revision}`, to };
}

/** What a request reacts to; undefined for what people do, and where nothing is known. */
export function reactionOf(recorded: RecordedRequest, known: Known): Reaction | undefined {
  if (recorded.actor.startsWith('user:') || recorded.actor === 'page') return undefined;
  const cause = likeliest(recorded.causes, recorded.subject);
  if (!cause) return earlier(recorded, known);
  const reaction = latest(cause.woken, known);
  return reaction?.to?.id === recorded.id ? earlier(recorded, known) : reaction;
}
