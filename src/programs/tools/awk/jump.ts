import type { Value } from './values.ts';

/** Thrown to leave loops, rules, functions and the program. */
export class Jump extends Error {
  readonly kind: 'break' | 'continue' | 'next' | 'exit' | 'return';
  readonly value: Value;

  constructor(kind: Jump['kind'], value: Value = 0) {
    super(kind);
    this.kind = kind;
    this.value = value;
  }
}
