/**
 * Matches in one pass over the text by following all possible states at once. Sets of states and their transitions are
 * cached, so most steps are a map lookup.
 */
import type { Assertion } from './ast.ts';
import type { Program } from './program.ts';

/** What stood before a place; -1 for the begin of the text. */
type Previous = number;

interface Place {
  /** The states reached, before those are added that need no character. */
  readonly states: readonly number[];
  readonly previous: Previous;
  readonly edges: Map<number, Edge>;
}

interface Edge {
  readonly matched: boolean;
  readonly to: Place;
}

const END = -1;
/** Places remembered, and steps from each: beyond that all are forgotten and found again. */
const MAX_PLACES = 2000;
const MAX_EDGES = 256;
/** Work for one text after which no further time is spent on it: some seconds. */
const MAX_WORK = 200_000_000;

export class Matcher {
  readonly #program: Program;
  #places = new Map<string, Place>();

  constructor(program: Program) {
    this.#program = program;
  }

  /** Whether any part of the text matches; undefined where finding out takes too long. */
  matches(text: string): boolean | undefined {
    let work = 0;
    let place = this.#place([], END);
    for (let i = 0; i <= text.length;) {
      const next = text.codePointAt(i) ?? END;
      let edge = place.edges.get(next);
      if (!edge) {
        edge = this.#follow(place, next);
        if (place.edges.size < MAX_EDGES) place.edges.set(next, edge);
        work += this.#program.length;
        if (work > MAX_WORK) return undefined;
      }
      if (edge.matched) return true;
      place = edge.to;
      i += next > 0xffff ? 2 : 1;
    }
    return false;
  }

  #place(states: readonly number[], previous: Previous): Place {
    const kind = previous === END ? 'b' : previous === NEWLINE ? 'n' : isWord(previous) ? 'w' : 'o';
    const key = `${kind}${states.join()}`;
    let place = this.#places.get(key);
    if (!place) {
      if (this.#places.size >= MAX_PLACES) this.#places = new Map();
      this.#places.set(key, (place = { states, previous, edges: new Map() }));
    }
    return place;
  }

  #follow({ states, previous }: Place, next: number): Edge {
    const reached = this.#closure(states, previous, next);
    const matched = reached.some((state) => this.#program[state]?.op === 'match');
    if (matched || next === END) return { matched, to: this.#place([], END) };
    const after: number[] = [];
    for (const state of reached) {
      const step = this.#program[state];
      if (step?.op === 'char' && step.set.has(next)) after.push(step.to);
    }
    return {
      matched,
      to: this.#place(
        [...new Set(after)].sort((a, b) => a - b),
        next,
      ),
    };
  }

  /** All states that can be reached without a character; the start is among them, for a match may begin anywhere. */
  #closure(states: readonly number[], previous: Previous, next: number): number[] {
    const seen = new Set<number>();
    const open = [...states, 0];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (seen.has(state)) continue;
      seen.add(state);
      const step = this.#program[state];
      if (step?.op === 'split') open.push(...step.to);
      else if (step?.op === 'assert' && holds(step.where, previous, next)) open.push(step.to);
    }
    return [...seen];
  }
}

const NEWLINE = 10;

const isWord = (codePoint: number): boolean =>
  codePoint >= 0 && codePoint < 128 && /\w/.test(String.fromCharCode(codePoint));

function holds(where: Assertion, previous: Previous, next: number): boolean {
  switch (where) {
    case 'beginText':
      return previous === END;
    case 'endText':
      return next === END;
    case 'beginLine':
      return previous === END || previous === NEWLINE;
    case 'endLine':
      return next === END || next === NEWLINE;
    case 'wordBoundary':
      return isWord(previous) !== isWord(next);
    case 'noWordBoundary':
      return isWord(previous) === isWord(next);
  }
}
