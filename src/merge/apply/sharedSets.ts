/**
 * Interned sets: sets with the same children in the same order are one object, so that cached data (its text, set
 * operations) is shared, and similar writes create no new sets.
 */
import { Recent } from '../../std/index.ts';
import { difference, EMPTY, fieldSet, intersection, union } from './fieldSet.ts';
import type { FieldSet } from './fieldSet.ts';

/** A prefix of children. */
export interface Children {
  /** These children and one more, which is not empty and has a new element. */
  with(element: string, child: FieldSet): Children;
  /** The set of these children. */
  set(self: boolean): FieldSet;
}

/** The maximum number of interned steps, because sets also contain names and uids of users. */
const MOST_STEPS = 20_000;
/** Larger sets are rare, and are not interned. */
const MOST_CHILDREN = 500;

class Step implements Children {
  readonly #before: Step | undefined;
  readonly #element: string;
  readonly #child: FieldSet;
  readonly #depth: number;
  /** The most recent next step, usually the only one. */
  #last: Step | undefined;
  /** All next steps, if there are several, by their elements. Most elements have one. */
  #next: Map<string, Step | Map<FieldSet, Step>> | undefined;
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
    return (this.#last = this.#find(element, child) ?? this.#add(element, child));
  }

  set(self: boolean): FieldSet {
    if (self) return (this.#closed ??= fieldSet(true, Step.#childrenTo(this)));
    return (this.#open ??= fieldSet(false, Step.#childrenTo(this)));
  }

  #find(element: string, child: FieldSet): Step | undefined {
    const found = this.#next?.get(element);
    if (!(found instanceof Step)) return found?.get(child);
    return found.#child === child ? found : undefined;
  }

  #add(element: string, child: FieldSet): Step {
    const step = new Step(this, element, child);
    if (this.#last) for (const one of [this.#last, step]) this.#keep(one);
    if (++count > MOST_STEPS) forgetSteps();
    return step;
  }

  #keep(step: Step): void {
    this.#next ??= new Map();
    const known = this.#next.get(step.#element) ?? step;
    if (known === step) this.#next.set(step.#element, step);
    else if (known instanceof Step)
      this.#next.set(step.#element, new Map([known, step].map((one) => [one.#child, one])));
    else known.set(step.#child, step);
  }

  static #childrenTo(last: Step): Map<string, FieldSet> {
    const steps: Step[] = [];
    for (let step = last; step.#before; step = step.#before) steps.push(step);
    return new Map(steps.reverse().map((step) => [step.#element, step.#child]));
  }
}

/** The children of a set that is not interned. */
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

/** Drops the interned steps; existing sets stay valid, but later equal ones are new objects. */
function forgetSteps(): void {
  first = new Step();
  count = 0;
}

/** No children yet. */
export function noChildren(): Children {
  return first;
}

/** The set of these children. */
export function sharedSet(self: boolean, children: ReadonlyMap<string, FieldSet>): FieldSet {
  let all = noChildren();
  for (const [element, child] of children) all = all.with(element, child);
  return all.set(self);
}

/** The number of first operands whose results are cached. */
const MOST_OPERANDS = 256;
/** The maximum number of cached results for each first operand. */
const MOST_OUTCOMES = 8;

type Combine = (a: FieldSet, b: FieldSet) => FieldSet;

function remembering(combine: Combine): Combine {
  const known = new Recent<FieldSet, Map<FieldSet, FieldSet>>(MOST_OPERANDS);
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
