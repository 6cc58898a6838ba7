import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { lineOf, readSources, walk } from './source.ts';

/** Where the machine's own time and dice may be touched; everyone else is handed a Clock and a Random. */
const hostSide = /^src\/(std|hosts|ui)\/|^src\/main\.tsx$/;

const timers = /^(setTimeout|setInterval|setImmediate|requestAnimationFrame|requestIdleCallback)$/;
const time = /^(Date\.now|performance\.now|AbortSignal\.timeout)$/;
const dice = /^(Math\.random|crypto\.randomUUID|crypto\.getRandomValues)$/;

const sources = readSources();

describe('banned in the core', () => {
  const core = sources.filter((file) => !hostSide.test(file.path));

  test('the wall clock, timers and dice', () => {
    const found: string[] = [];
    for (const file of core) {
      walk(file.tree, (node) => {
        const why = reasonAgainst(node);
        if (why) found.push(`${file.path}:${lineOf(node)} ${node.getText().split('(')[0]}(): ${why}`);
      });
    }
    expect(found).toEqual([]);
  });

  test('comments that switch the type checker off, and unchecked any', () => {
    const found: string[] = [];
    for (const file of sources) {
      if (/@ts-(ignore|nocheck|expect-error)/.test(file.tree.text)) found.push(`${file.path}: @ts-… comment`);
      walk(file.tree, (node) => {
        if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(`${file.path}:${lineOf(node)} any`);
      });
    }
    expect(found, 'say the real type, or unknown and narrow it').toEqual([]);
  });
});

describe('banned everywhere in src', () => {
  test('casts by way of unknown', { timeout: 60_000 }, () => {
    const found: string[] = [];
    for (const file of sources) {
      walk(file.tree, (node) => {
        if (!ts.isAsExpression(node) || !ts.isAsExpression(node.expression)) return;
        if (node.expression.type.kind === ts.SyntaxKind.UnknownKeyword) found.push(`${file.path}:${lineOf(node)}`);
      });
    }
    expect(found, 'cast once, or narrow to a type that both sides share').toEqual([]);
  });
});

function reasonAgainst(node: ts.Node): string | undefined {
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length) {
    return 'take a Clock (std/) and ask it for now()';
  }
  if (!ts.isCallExpression(node)) return undefined;
  const callee = node.expression.getText().replace(/^globalThis\./, '');
  if (time.test(callee)) return 'take a Clock (std/) and ask it for now()';
  if (timers.test(callee)) return 'take a Clock (std/) and let it call you';
  if (dice.test(callee)) return 'take a Random (std/)';
  return undefined;
}
