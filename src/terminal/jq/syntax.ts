/** What a jq filter is made of. */
export type Node =
  | { readonly type: 'identity' | 'recurse' }
  | { readonly type: 'literal'; readonly value: unknown }
  /** Texts, and filters whose results stand between them; `format` is what is done to these. */
  | { readonly type: 'text'; readonly parts: readonly (string | Node)[]; readonly format: string }
  | { readonly type: 'format' | 'variable' | 'break'; readonly name: string }
  | { readonly type: 'index'; readonly of: Node; readonly key: Node }
  | { readonly type: 'slice'; readonly of: Node; readonly from: Node | undefined; readonly to: Node | undefined }
  | { readonly type: 'iterate' | 'negate'; readonly of: Node }
  | { readonly type: 'try'; readonly body: Node; readonly handler: Node | undefined }
  | { readonly type: 'array'; readonly body: Node | undefined }
  | { readonly type: 'object'; readonly entries: readonly (readonly [key: Node, value: Node])[] }
  | { readonly type: 'pipe' | 'comma'; readonly left: Node; readonly right: Node }
  /** Arithmetic, comparison, `and`, `or`, `//`, and assignments. */
  | { readonly type: 'operation'; readonly operator: string; readonly left: Node; readonly right: Node }
  | { readonly type: 'if'; readonly condition: Node; readonly then: Node; readonly otherwise: Node }
  | {
      readonly type: 'reduce';
      readonly source: Node;
      readonly pattern: Pattern;
      readonly start: Node;
      readonly update: Node;
    }
  | {
      readonly type: 'foreach';
      readonly source: Node;
      readonly pattern: Pattern;
      readonly start: Node;
      readonly update: Node;
      readonly extract: Node | undefined;
    }
  | { readonly type: 'define'; readonly definition: Definition; readonly rest: Node }
  | { readonly type: 'call'; readonly name: string; readonly args: readonly Node[] }
  | { readonly type: 'bind'; readonly source: Node; readonly pattern: Pattern; readonly body: Node }
  | { readonly type: 'label'; readonly name: string; readonly body: Node };

export interface Definition {
  readonly name: string;
  /** Those that begin with `$` are values, others filters. */
  readonly parameters: readonly string[];
  readonly body: Node;
}

/** What values are taken apart into: `$x`, `[$a, $b]`, `{name: $n, $kind}`. */
export type Pattern =
  /** The first of several that fits; the variables of the others are null. */
  | { readonly type: 'any'; readonly patterns: readonly Pattern[] }
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'array'; readonly items: readonly Pattern[] }
  | {
      readonly type: 'object';
      readonly entries: readonly {
        readonly key: Node;
        readonly variable: string | undefined;
        readonly pattern: Pattern | undefined;
      }[];
    };

export class SyntaxProblem extends Error {}

export interface Token {
  /** `name`, `variable`, `field`, `number`, `format`, `text` for the quote that begins one, `FINISH`, or the sign or keyword itself. */
  readonly type: string;
  readonly text: string;
  readonly end: number;
}

const KEYWORDS = new Set([
  ...['def', 'if', 'then', 'elif', 'else', 'end', 'as', 'reduce', 'foreach', 'try', 'catch', 'label', 'and', 'or'],
  ...['import', 'include', '__loc__'],
]);

const TOKENS: readonly (readonly [type: string, pattern: RegExp])[] = [
  ['number', /(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y],
  ['field', /\.[a-zA-Z_]\w*/y],
  ['variable', /\$(?:__loc__|[a-zA-Z_]\w*(?:::\w+)*)/y],
  ['format', /@[a-zA-Z]\w*/y],
  ['name', /[a-zA-Z_]\w*(?:::\w+)*/y],
  ['sign', /\?\/\/|\/\/=|\|=|\+=|-=|\*=|\/=|%=|==|!=|<=|>=|\/\/|\.\.|[.[\]{}()|,:;=<>+\-*/%?$]/y],
];

/** The type of what stands behind the last token. No keyword has this name. */
export const FINISH = 'end of the filter';

const SPACE = /\s+|#[^\n]*/y;

function afterSpace(text: string, from: number): number {
  let at = from;
  for (SPACE.lastIndex = at; SPACE.test(text); SPACE.lastIndex = at) at = SPACE.lastIndex;
  return at;
}

/** The token at a place of a text. Throws SyntaxProblem. */
export function tokenAt(text: string, from: number): Token {
  const at = afterSpace(text, from);
  if (at >= text.length) return { type: FINISH, text: FINISH, end: at };
  if (text[at] === '"') return { type: 'text', text: '"', end: at + 1 };
  for (const [type, pattern] of TOKENS) {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    if (found === undefined) continue;
    const isWord = type === 'sign' || (type === 'name' && KEYWORDS.has(found));
    return { type: isWord ? found : type, text: found, end: at + found.length };
  }
  throw new SyntaxProblem(`unexpected ${JSON.stringify(text[at])}`);
}

/** From loose to tight; those of one line bind alike. */
export const OPERATORS: readonly { readonly signs: readonly string[]; readonly side: 'left' | 'right' | 'none' }[] = [
  { signs: ['//'], side: 'right' },
  { signs: ['=', '|=', '+=', '-=', '*=', '/=', '%=', '//='], side: 'none' },
  { signs: ['or'], side: 'left' },
  { signs: ['and'], side: 'left' },
  { signs: ['==', '!=', '<', '<=', '>', '>='], side: 'none' },
  { signs: ['+', '-'], side: 'left' },
  { signs: ['*', '/', '%'], side: 'left' },
];
