import ts from 'typescript';
import { expect, test } from 'vitest';
import { readSource, readSources, walk } from './source.ts';
import type { SourceFile } from './source.ts';

const configurations = ['vite.config.ts', 'vitest.config.ts', 'playwright.config.ts'];

/** What is exported there is used by files that name only the file, or by another package. */
const exempt = /^src\/(ui\/panels\/|hosts\/page\/build\/)/;

test('every function and value that a file exports is used', { timeout: 120_000 }, () => {
  const core = readSources();
  const all = [...core, ...readSources('test'), ...readSources('e2e'), ...configurations.map(readSource)];
  const mentions = countMentions(all);
  const unused = core
    .filter(({ path }) => !exempt.test(path))
    .flatMap(({ path, tree }) => exportedValues(tree).map((name) => ({ path, name })))
    // Its declaration is the one mention.
    .filter(({ name }) => (mentions.get(name) ?? 0) <= 1);
  expect(
    unused.map(({ path, name }) => `${path}: ${name}`),
    'delete it',
  ).toEqual([]);
});

/** How often each name occurs: as an identifier, or as the text by which a part is asked for it. Passing it on is no use. */
function countMentions(files: readonly SourceFile[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { tree } of files) {
    walk(tree, (node) => {
      if (!ts.isIdentifier(node) && !ts.isStringLiteral(node)) return;
      if (!ts.isExportSpecifier(node.parent)) counts.set(node.text, (counts.get(node.text) ?? 0) + 1);
    });
  }
  return counts;
}

function exportedValues(tree: ts.SourceFile): string[] {
  return tree.statements.flatMap((statement) => {
    const exported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(isExport);
    if (!exported) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
    const declaresValue = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
    return declaresValue && statement.name ? [statement.name.text] : [];
  });
}

const isExport = ({ kind }: ts.Node): boolean => kind === ts.SyntaxKind.ExportKeyword;
