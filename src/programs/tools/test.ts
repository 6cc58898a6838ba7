import { getOwn } from '../../std/index.ts';
import { EXECUTE, READ, sizeOf, WRITE, type Node } from '../files/index.ts';
import type { Process, Program } from '../process.ts';
import { fail } from './tool.ts';

/** The file tests by operator. */
const FILE_TESTS: Readonly<Record<string, (node: Node, process: Process) => boolean>> = {
  '-e': () => true,
  '-f': (node) => node.type === 'file' || node.type === 'generated',
  '-d': (node) => node.type === 'directory',
  '-c': (node) => node.type === 'special',
  '-b': () => false,
  '-p': () => false,
  '-S': () => false,
  '-s': (node) => sizeOf(node) > 0,
  '-r': (node, { files }) => files.allows(node, READ),
  '-w': (node, { files }) => files.allows(node, WRITE),
  '-x': (node, { files }) => files.allows(node, EXECUTE),
  '-O': (node, { user }) => node.uid === user.uid,
  '-G': (node, { user }) => node.gid === user.gid,
  '-u': (node) => (node.mode & 0o4000) !== 0,
  '-g': (node) => (node.mode & 0o2000) !== 0,
  '-k': (node) => (node.mode & 0o1000) !== 0,
};

/** Evaluates a file test; undefined for another operator. */
export function testFile(process: Process, operator: string, path: string): boolean | undefined {
  if (operator === '-h' || operator === '-L') return process.files.tryFind(path, false)?.node.type === 'link';
  if (operator === '-t') return process.streams.get(Number(path))?.terminal !== undefined;
  if (!Object.hasOwn(FILE_TESTS, operator)) return undefined;
  const place = process.files.tryFind(path);
  const readOnly = operator === '-w' && place?.mount.readOnly === true && place.node.type !== 'special';
  return place !== undefined && !readOnly && (getOwn(FILE_TESTS, operator)?.(place.node, process) ?? false);
}

const BINARY: Readonly<Record<string, (a: string, b: string, process: Process) => boolean>> = {
  '=': (a, b) => a === b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '-eq': (a, b) => integer(a) === integer(b),
  '-ne': (a, b) => integer(a) !== integer(b),
  '-lt': (a, b) => integer(a) < integer(b),
  '-le': (a, b) => integer(a) <= integer(b),
  '-gt': (a, b) => integer(a) > integer(b),
  '-ge': (a, b) => integer(a) >= integer(b),
  '-nt': (a, b, process) => modified(process, a) > modified(process, b),
  '-ot': (a, b, process) => modified(process, a) < modified(process, b),
  '-ef': (a, b, { files }) => files.tryFind(a)?.node === files.tryFind(b)?.node && files.tryFind(a) !== undefined,
};

class TestError extends Error {}

function integer(text: string): number {
  if (!/^\s*[-+]?\d+\s*$/.test(text)) throw new TestError(`${text}: bad number`);
  return Number(text);
}

const modified = ({ files }: Process, path: string): number => files.tryFind(path)?.node.modified ?? -Infinity;

/** `test EXPRESSION`, `[ EXPRESSION ]` */
export const test: Program = async (process) => {
  const words = process.args.slice(1);
  if (process.args[0]?.endsWith('[') && words.pop() !== ']') return fail(process, 'missing ]', 2);
  try {
    return new Evaluation(process, words).result() ? 0 : 1;
  } catch (problem) {
    if (problem instanceof TestError) return fail(process, problem.message, 2);
    throw problem;
  }
};

class Evaluation {
  readonly #process: Process;
  readonly #words: readonly string[];
  #at = 0;

  constructor(process: Process, words: readonly string[]) {
    this.#process = process;
    this.#words = words;
  }

  result(): boolean {
    if (this.#words.length === 0) return false;
    const holds = this.#or();
    if (this.#at < this.#words.length) throw new TestError(`${this.#words[this.#at]}: unknown operand`);
    return holds;
  }

  #or(): boolean {
    let holds = this.#and();
    while (this.#takes('-o')) holds = this.#and() || holds;
    return holds;
  }

  #and(): boolean {
    let holds = this.#not();
    while (this.#takes('-a')) holds = this.#not() && holds;
    return holds;
  }

  #not(): boolean {
    // A lone `!` is a word like any other.
    if (this.#words[this.#at] === '!' && this.#left > 1 && !this.#isBinary()) {
      this.#at += 1;
      return !this.#not();
    }
    return this.#primary();
  }

  #primary(): boolean {
    const word = this.#words[this.#at++];
    if (word === undefined) throw new TestError('argument expected');
    const operator = this.#words[this.#at] ?? '';
    if (Object.hasOwn(BINARY, operator) && this.#left > 1) {
      this.#at += 2;
      return BINARY[operator]?.(word, this.#words[this.#at - 1] ?? '', this.#process) ?? false;
    }
    if (word === '(' && this.#left > 0) return this.#parentheses();
    return this.#left > 0 ? this.#unary(word) : word !== '';
  }

  #unary(word: string): boolean {
    const operand = this.#words[this.#at] ?? '';
    const file = testFile(this.#process, word, operand);
    if (file === undefined && word !== '-n' && word !== '-z') return word !== '';
    this.#at += 1;
    return file ?? (operand === '') === (word === '-z');
  }

  #parentheses(): boolean {
    const holds = this.#or();
    if (!this.#takes(')')) throw new TestError('closing paren expected');
    return holds;
  }

  get #left(): number {
    return this.#words.length - this.#at;
  }

  #isBinary(): boolean {
    return this.#left === 3 && Object.hasOwn(BINARY, this.#words[this.#at + 1] ?? '');
  }

  #takes(word: string): boolean {
    if (this.#words[this.#at] !== word) return false;
    this.#at += 1;
    return true;
  }
}
