/** Who caused what: each write traced back to the one that it reacts to, and the whole chain around one object. */
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
  { namespace, name }: RecordedRequest['subject'],
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

/** One request of a story. */
export interface StoryLine {
  readonly recorded: RecordedRequest;
  readonly reaction: Reaction | undefined;
  /** How many steps lie between it and what began. */
  readonly depth: number;
}

interface Links {
  readonly reactions: ReadonlyMap<string, Reaction>;
  readonly effects: ReadonlyMap<string, readonly RecordedRequest[]>;
}

function linksOf(known: Known): Links {
  const reactions = new Map<string, Reaction>();
  const effects = new Map<string, RecordedRequest[]>();
  for (const recorded of new Set(known.writes.values())) {
    const reaction = reactionOf(recorded, known);
    if (!reaction) continue;
    reactions.set(recorded.id, reaction);
    if (!reaction.to) continue;
    const of = effects.get(reaction.to.id);
    if (of) of.push(recorded);
    else effects.set(reaction.to.id, [recorded]);
  }
  return { reactions, effects };
}

/** Adds what led to a request, up to what began. */
function climb(from: RecordedRequest, { reactions }: Links, into: Map<string, RecordedRequest>): void {
  let here: RecordedRequest | undefined = from;
  while (here && !into.has(here.id)) {
    into.set(here.id, here);
    here = reactions.get(here.id)?.to;
  }
}

/** Adds what followed from a request. */
function descend(from: readonly RecordedRequest[], { effects }: Links, into: Map<string, RecordedRequest>): void {
  const open = [...from];
  const seen = new Set<string>();
  for (let here = open.pop(); here; here = open.pop()) {
    if (seen.has(here.id)) continue;
    seen.add(here.id);
    into.set(here.id, here);
    open.push(...(effects.get(here.id) ?? []));
  }
}

/** Everything that led to what was done to an object and that followed from it, in the order in which it came. */
export function storyOf(ref: string, known: Known): readonly StoryLine[] {
  const links = linksOf(known);
  const own = known.about.get(ref) ?? [];
  const all = new Map<string, RecordedRequest>();
  for (const recorded of own) climb(recorded, links, all);
  descend(own, links, all);
  const depths = new Map<string, number>();
  const inOrder = [...all.values()].sort((a, b) => a.number - b.number);
  return inOrder.map((recorded) => {
    const reaction = links.reactions.get(recorded.id);
    const depth = reaction?.to && all.has(reaction.to.id) ? (depths.get(reaction.to.id) ?? 0) + 1 : 0;
    depths.set(recorded.id, depth);
    return { recorded, reaction, depth };
  });
}
