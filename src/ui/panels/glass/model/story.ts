/** The whole chain around one object: what led to it and what followed. */
import { reactionOf, type Known, type Reaction } from './reactions.ts';
import type { RecordedRequest } from './recording.ts';

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

/** What answered requests react to stays as it is: a story is told anew again and again. */
const settled = new WeakMap<Known, WeakMap<RecordedRequest, Reaction>>();

function settledReaction(recorded: RecordedRequest, known: Known): Reaction | undefined {
  const reactions = settled.get(known) ?? new WeakMap<RecordedRequest, Reaction>();
  settled.set(known, reactions);
  const reaction = reactions.get(recorded) ?? reactionOf(recorded, known);
  if (reaction && recorded.status !== undefined) reactions.set(recorded, reaction);
  return reaction;
}

function linksOf(known: Known): Links {
  const reactions = new Map<string, Reaction>();
  const effects = new Map<string, RecordedRequest[]>();
  for (const recorded of new Set(known.writes.values())) {
    const reaction = settledReaction(recorded, known);
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
