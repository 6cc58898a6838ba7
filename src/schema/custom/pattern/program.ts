/** An expression as steps: what to do in each state, and which state comes next. */
import { PatternError, type Assertion, type Expression } from './ast.ts';
import type { CharSet } from './charSet.ts';

export type Step =
  | { readonly op: 'match' }
  | { readonly op: 'char'; readonly set: CharSet; readonly to: number }
  | { readonly op: 'assert'; readonly where: Assertion; readonly to: number }
  | { readonly op: 'split'; readonly to: readonly number[] };

/** Begins with step 0. */
export type Program = readonly Step[];

/** Counts that are nested multiply what they repeat; an expression that grows beyond this is refused. */
const MAX_STEPS = 250_000;

/** Builds from the end: each part gets its continuation. Throws PatternError. */
export function compile(expression: Expression): Program {
  const steps: Step[] = [{ op: 'split', to: [] }, { op: 'match' }];
  const add = (step: Step): number => {
    if (steps.length >= MAX_STEPS) throw new PatternError('expression too large');
    return steps.push(step) - 1;
  };
  const build = (part: Expression, next: number): number => {
    switch (part.type) {
      case 'empty':
        return next;
      case 'char':
        return add({ op: 'char', set: part.set, to: next });
      case 'assert':
        return add({ op: 'assert', where: part.where, to: next });
      case 'sequence':
        return part.parts.reduceRight((to, inner) => build(inner, to), next);
      case 'choice':
        return add({ op: 'split', to: part.options.map((option) => build(option, next)) });
      case 'repeat':
        return repeat(part, next);
    }
  };
  const repeat = ({ of, min, max }: Expression & { type: 'repeat' }, next: number): number => {
    let to = next;
    if (max === Infinity) {
      const loop = add({ op: 'split', to: [] });
      steps[loop] = { op: 'split', to: [build(of, loop), next] };
      to = loop;
    } else {
      for (let i = min; i < max; i++) to = add({ op: 'split', to: [build(of, to), next] });
    }
    for (let i = 0; i < min; i++) to = build(of, to);
    return to;
  };
  const start = build(expression, 1);
  steps[0] = { op: 'split', to: [start] };
  return steps;
}
