/** Functions of jq that go round: as loops, so that no number of rounds nests too deeply. */
import type { Machine, Native, Pause } from './evaluate.ts';
import { made, type Filter, type Item } from './scope.ts';
import { isTrue } from './values.ts';

/** What a round gives out: a result, or what the next round begins with. */
type Step = { readonly result: Item } | { readonly next: Item } | Pause;

/** A round stays in memory until all that follows from it is known, so that few fit. */
const STEPS_OF_A_ROUND = 40;

/** Depth first: what follows from a step comes before the next step. */
function* loop(machine: Machine, input: Item, round: (item: Item) => Iterator<Step>): Generator<Item | Pause> {
  const open = [round(input)];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const { done, value } = top.next();
    if (done) open.pop();
    else if (!value) yield value;
    else if ('next' in value) {
      machine.spend(STEPS_OF_A_ROUND);
      if (machine.turnIsOver()) yield undefined;
      open.push(round(value.next));
    } else yield value.result;
  }
}

/** What a filter leads to, as the beginnings of rounds. */
function* onward(machine: Machine, filter: Filter, from: Item): Generator<Step> {
  for (const next of machine.run(filter, from)) yield next && { next };
}

const recurse: Native = (input, [filter, condition], machine) =>
  loop(machine, input, function* (item) {
    yield { result: item };
    if (!filter) return;
    for (const step of onward(machine, filter, item))
      if (!step || !condition || !('next' in step)) yield step;
      else for (const value of machine.values(condition, step.next.value)) if (isTrue(value)) yield step;
  });

export const loops: Readonly<Record<string, Native>> = {
  'recurse/1': recurse,
  'recurse/2': recurse,
  'until/2': (input, [condition, update], machine) =>
    loop(machine, input, function* (item) {
      if (!condition || !update) return;
      for (const value of machine.values(condition, item.value))
        if (isTrue(value)) yield { result: item };
        else yield* onward(machine, update, item);
    }),
  'while/2': (input, [condition, update], machine) =>
    loop(machine, input, function* (item) {
      if (!condition || !update) return;
      for (const value of machine.values(condition, item.value)) {
        if (!isTrue(value)) continue;
        yield { result: item };
        yield* onward(machine, update, item);
      }
    }),
  /** jq 1.6 begins each round with the input. */
  *'repeat/1'(input, [filter], machine) {
    while (filter) yield* machine.run(filter, input);
  },
  *'inputs/0'(input, _, machine) {
    for (let next = machine.options.next(); next; next = machine.options.next()) {
      machine.spend(1);
      yield made(input, next.value);
    }
  },
};
