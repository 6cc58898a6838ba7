/**
 * Sets put together child by child. Those with the same children in the same order are one set, whoever asks: what is known of
 * it (its text, what it has in common with others) is known of all, and writes that are alike make no sets of their own.
 */
import { difference, EMPTY, fieldSet, intersection, union } from './fieldSet.ts';
import type { FieldSet } from './fieldSet.ts';

/** The children up to here, and what came after them before. */
export interface Children {
  /** These children and one more, which is not empty and of another element. */
  with(element: string, child: FieldSet): Children;
  /** The set of these children. */
  set(self: boolean): FieldSet;
}

/** Names and uids of users stand in sets as well: of so many steps at most. */
const MOST_STEPS = 20_000;
/** Sets of more children than this are rare, and are made each time. */
const MOST_CHILDREN = 500;

class Step implements Children {
  readonly #before: Step | undefined;
  readonly #element: string;
  readonly #child: FieldSet;
  readonly #depth: number;
  /** What came next the last time: most often it is all that ever does. */
  #last: Step | undefined;
  /** All that came next, where that is more than one. */
  #next: Map<string, Map<FieldSet, Step>> | undefined;
  #open: FieldSet | undefined;
  #closed: FieldSet | undefined;

  constructor(before?: Step, element = '', child = EMPTY) {
    this.#before = before;
    this.#element = element;
    this.#child = child;
    this.#depth = before ? before.#depth + 1 : 0;
  }

  with(element: string, child: FieldSet): Children {
    const last = this.#last;
    if (last !== undefined && last.#element === element && last.#child === child) return last;
    if (this.#depth >= MOST_CHILDREN) return new OwnChildren(Step.#childrenTo(this)).with(element, child);
    return (this.#last = this.#next?.get(element)?.get(child) ?? this.#add(element, child));
  }

  set(self: boolean): FieldSet {
    if (self) return (this.#closed ??= fieldSet(true, Step.#childrenTo(this)));
    return (this.#open ??= fieldSet(false, Step.#childrenTo(this)));
  }

  #add(element: string, child: FieldSet): Step {
    const step = new Step(this, element, child);
    if (this.#last) for (const one of [this.#last, step]) this.#keep(one);
    if (++count > MOST_STEPS) forgetSteps();
    return step;
  }

  #keep(step: Step): void {
    this.#next ??= new Map();
    let steps = this.#next.get(step.#element);
    if (!steps) this.#next.set(step.#element, (steps = new Map()));
    steps.set(step.#child, step);
  }

  static #childrenTo(last: Step): Map<string, FieldSet> {
    const steps: Step[] = [];
    for (let step = last; step.#before; step = step.#before) steps.push(step);
    return new Map(steps.reverse().map((step) => [step.#element, step.#child]));
  }
}

/** Children of one set alone. */
class OwnChildren implements Children {
  readonly #children: Map<string, FieldSet>;

  constructor(children: Map<string, FieldSet>) {
    this.#children = children;
  }

  with(element: string, child: FieldSet): Children {
    this.#children.set(element, child);
    return this;
  }

  set(self: boolean): FieldSet {
    return fieldSet(self, this.#children);
  }
}

let first = new Step();
let count = 0;

/** Sets that are there stay what they are; the next ones like them are others. */
function forgetSteps(): void {
  first = new Step();
  count = 0;
}

/** No children yet. */
export function noChildren(): Children {
  return first;
}

/** Of each first set so many outcomes are remembered. */
const MOST_OUTCOMES = 8;

type Combine = (a: FieldSet, b: FieldSet) => FieldSet;

function remembering(combine: Combine): Combine {
  const known = new WeakMap<FieldSet, Map<FieldSet, FieldSet>>();
  return (a, b) => {
    if (a === EMPTY || b === EMPTY) return combine(a, b);
    let outcomes = known.get(a);
    if (!outcomes) known.set(a, (outcomes = new Map()));
    let outcome = outcomes.get(b);
    if (outcome) return outcome;
    if (outcomes.size >= MOST_OUTCOMES) outcomes.clear();
    outcomes.set(b, (outcome = combine(a, b)));
    return outcome;
  };
}

/** The operations of `fieldSet.ts` with their results cached, for sets that come again and again. */
export const remembered = {
  union: remembering(union),
  intersection: remembering(intersection),
  difference: remembering(difference),
};
