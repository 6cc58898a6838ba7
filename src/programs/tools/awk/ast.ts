/** The syntax tree of an awk program. */

export type Expression =
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'regex'; readonly source: string }
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'element'; readonly name: string; readonly keys: readonly Expression[] }
  | { readonly type: 'field'; readonly index: Expression }
  | { readonly type: 'assign'; readonly operator: string; readonly target: Expression; readonly value: Expression }
  | { readonly type: 'step'; readonly operator: '++' | '--'; readonly prefix: boolean; readonly target: Expression }
  | { readonly type: 'unary'; readonly operator: string; readonly of: Expression }
  | { readonly type: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly type: 'condition'; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly type: 'in'; readonly keys: readonly Expression[]; readonly name: string }
  | { readonly type: 'group'; readonly items: readonly Expression[] }
  | { readonly type: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly type: 'getline'; readonly target?: Expression };

export type Statement =
  | { readonly type: 'block'; readonly body: readonly Statement[] }
  | { readonly type: 'expression'; readonly of: Expression }
  | {
      readonly type: 'print';
      readonly formatted: boolean;
      readonly args: readonly Expression[];
      readonly to?: { readonly operator: string; readonly target: Expression };
    }
  | { readonly type: 'if'; readonly test: Expression; readonly yes: Statement; readonly no?: Statement }
  | { readonly type: 'while'; readonly test: Expression; readonly body: Statement; readonly atLeastOnce: boolean }
  | {
      readonly type: 'for';
      readonly first?: Statement;
      readonly test?: Expression;
      readonly next?: Statement;
      readonly body: Statement;
    }
  | { readonly type: 'forIn'; readonly variable: string; readonly name: string; readonly body: Statement }
  | { readonly type: 'delete'; readonly name: string; readonly keys: readonly Expression[] }
  | { readonly type: 'break' | 'continue' | 'next' }
  | { readonly type: 'exit' | 'return'; readonly value?: Expression };

export interface Rule {
  readonly when: 'BEGIN' | 'END' | { readonly from?: Expression; readonly to?: Expression };
  readonly body: Statement;
}

export interface AwkFunction {
  readonly parameters: readonly string[];
  readonly body: Statement;
}

export interface AwkProgram {
  readonly rules: readonly Rule[];
  readonly functions: ReadonlyMap<string, AwkFunction>;
}
