/** The syntax tree of a shell script. */

export type Word = readonly Part[];

/** A piece of a word. Quoted pieces are neither split into fields nor expanded as patterns. */
export type Part =
  | { readonly type: 'text'; readonly text: string; readonly quoted: boolean }
  | Parameter
  | { readonly type: 'command'; readonly script: Script; readonly quoted: boolean }
  | { readonly type: 'arithmetic'; readonly expression: Word; readonly quoted: boolean };

/** `$name`, `${#name}`, `${name:-word}` */
export interface Parameter {
  readonly type: 'parameter';
  readonly name: string;
  readonly quoted: boolean;
  /** `-`, `:-`, `=`, `:=`, `?`, `:?`, `+`, `:+`, `#`, `##`, `%`, `%%`, `/`, `//`, `/#`, `/%`, `:`, `^`, `^^`, `,`, `,,`; `length` for `${#name}`, `indirect` for `${!name}`. */
  readonly operator?: string;
  readonly word?: Word;
  /** What a match is replaced with, or the length of a substring. */
  readonly second?: Word;
}

export interface Script {
  readonly commands: readonly ListItem[];
}

export interface ListItem {
  readonly command: Command;
  readonly background: boolean;
}

export interface Redirect {
  readonly fd: number;
  readonly operator: '<' | '>' | '>>' | '>|' | '<>' | '<&' | '>&' | '<<' | '<<<' | '&>' | '&>>';
  /** For a here-document, its text. */
  readonly target: Word;
}

export interface Assignment {
  readonly name: string;
  readonly append: boolean;
  readonly value: Word;
}

interface Redirected {
  readonly redirects: readonly Redirect[];
}

export type Command =
  | ({
      readonly type: 'simple';
      readonly assignments: readonly Assignment[];
      readonly words: readonly Word[];
    } & Redirected)
  | { readonly type: 'pipeline'; readonly commands: readonly Command[]; readonly negated: boolean }
  | { readonly type: 'and' | 'or'; readonly left: Command; readonly right: Command }
  | ({ readonly type: 'group' | 'subshell'; readonly body: Script } & Redirected)
  | ({ readonly type: 'if'; readonly branches: readonly Branch[]; readonly otherwise?: Script } & Redirected)
  | ({ readonly type: 'while' | 'until'; readonly condition: Script; readonly body: Script } & Redirected)
  | ({
      readonly type: 'for';
      readonly name: string;
      readonly words?: readonly Word[];
      readonly body: Script;
    } & Redirected)
  | ({ readonly type: 'count'; readonly parts: readonly [Word, Word, Word]; readonly body: Script } & Redirected)
  | ({ readonly type: 'case'; readonly subject: Word; readonly items: readonly CaseItem[] } & Redirected)
  | { readonly type: 'function'; readonly name: string; readonly body: Command }
  | ({ readonly type: 'test'; readonly condition: Condition } & Redirected)
  | ({ readonly type: 'arithmetic'; readonly expression: Word } & Redirected);

export interface Branch {
  readonly condition: Script;
  readonly body: Script;
}

export interface CaseItem {
  readonly patterns: readonly Word[];
  readonly body: Script;
  /** `;&`: goes on with the next body. */
  readonly fallsThrough: boolean;
}

/** What stands in `[[ ]]`. */
export type Condition =
  | { readonly type: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly type: 'not'; readonly of: Condition }
  | { readonly type: 'unary'; readonly operator: string; readonly word: Word }
  | { readonly type: 'binary'; readonly operator: string; readonly left: Word; readonly right: Word };
