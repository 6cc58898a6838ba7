import { compilePattern } from '../tools/regex.ts';
import { testFile } from '../tools/test.ts';
import { evaluate } from './arithmetic.ts';
import type { Condition } from './ast.ts';
import { expandPattern, expandText, type Expansion } from './expand.ts';
import { parsePattern } from './pattern.ts';

/** Evaluates `[[ ]]`. */
export async function testCondition(condition: Condition, expansion: Expansion): Promise<boolean> {
  switch (condition.type) {
    case 'and':
      return (await testCondition(condition.left, expansion)) && testCondition(condition.right, expansion);
    case 'or':
      return (await testCondition(condition.left, expansion)) || testCondition(condition.right, expansion);
    case 'not':
      return !(await testCondition(condition.of, expansion));
    case 'unary':
      return testUnary(condition.operator, await expandText(condition.word, expansion), expansion);
    case 'binary':
      return testBinary(condition, expansion);
  }
}

function testUnary(operator: string, text: string, { process, state }: Expansion): boolean {
  if (operator === '-n') return text !== '';
  if (operator === '-z') return text === '';
  if (operator === '-v') return state.get(text) !== undefined;
  return testFile(process, operator, text) ?? false;
}

async function testBinary(
  { operator, left, right }: Condition & { type: 'binary' },
  expansion: Expansion,
): Promise<boolean> {
  const text = await expandText(left, expansion);
  if (operator === '=~') return compilePattern(await expandText(right, expansion), { extended: true }).test(text);
  if (operator === '==' || operator === '=') return parsePattern(await expandPattern(right, expansion)).matches(text);
  if (operator === '!=') return !parsePattern(await expandPattern(right, expansion)).matches(text);
  const other = await expandText(right, expansion);
  if (operator === '<') return text < other;
  if (operator === '>') return text > other;
  const [a, b] = [evaluate(text, expansion.state), evaluate(other, expansion.state)];
  return (
    { '-eq': a === b, '-ne': a !== b, '-lt': a < b, '-le': a <= b, '-gt': a > b, '-ge': a >= b }[operator] ?? false
  );
}
