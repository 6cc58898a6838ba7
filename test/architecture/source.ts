import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** One file of `src/`, parsed. Paths are relative to the project's top, with slashes. */
export interface SourceFile {
  readonly path: string;
  readonly lines: number;
  readonly tree: ts.SourceFile;
}

/** One way in which a file names another module. */
export interface Import {
  readonly file: string;
  readonly line: number;
  /** As written. */
  readonly specifier: string;
  /** A path relative to the project's top for a relative specifier; undefined for a package. */
  readonly target: string | undefined;
  readonly typeOnly: boolean;
}

export interface FunctionSize {
  /** `src/file.ts#name`; functions without a name carry that of what holds them. */
  readonly id: string;
  readonly line: number;
  /** Lines from head to closing brace. */
  readonly span: number;
  /** The span without the functions inside, which are measured by themselves, and without markup, which is no control flow. */
  readonly own: number;
}

/** Every TypeScript file under `folder`. */
export function readSources(folder = 'src'): SourceFile[] {
  return sourcePaths(folder).map(readSource);
}

/** The paths of every TypeScript file under `folder`, sorted. */
export function sourcePaths(folder = 'src'): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'))
    .sort();
}

/** One TypeScript file. */
export function readSource(path: string): SourceFile {
  const text = readFileSync(path, 'utf8');
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true, kind);
  return { path, lines: text.split('\n').length - 1, tree };
}

/** Calls `visit` for a node and everything below it. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

export function lineOf(node: ts.Node): number {
  return node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

/** Static, re-exporting, dynamic and type imports, and the modules that workers are made from. */
export function importsOf(file: SourceFile): Import[] {
  const found: Import[] = [];
  walk(file.tree, (node) => {
    const named = namedModule(node);
    if (!named) return;
    const target = named.specifier.startsWith('.') ? join(dirname(file.path), named.specifier) : undefined;
    found.push({ file: file.path, line: lineOf(node), ...named, target: target?.replace(/\?.*$/, '') });
  });
  return found;
}

function namedModule(node: ts.Node): { specifier: string; typeOnly: boolean } | undefined {
  if (ts.isImportDeclaration(node)) return literal(node.moduleSpecifier, node.importClause?.isTypeOnly === true);
  if (ts.isExportDeclaration(node)) return literal(node.moduleSpecifier, node.isTypeOnly);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return literal(node.argument.literal, true);
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return literal(node.arguments[0], false);
  }
  const isUrl = ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'URL';
  if (isUrl && node.arguments?.[1]?.getText() === 'import.meta.url') return literal(node.arguments[0], false);
  return undefined;
}

function literal(node: ts.Node | undefined, typeOnly: boolean): { specifier: string; typeOnly: boolean } | undefined {
  return node && ts.isStringLiteralLike(node) ? { specifier: node.text, typeOnly } : undefined;
}

/** The size of every function, method and accessor that has a body. */
export function functionsOf(file: SourceFile): FunctionSize[] {
  const found: FunctionSize[] = [];
  const measure = (node: ts.Node, holder: string): number => {
    const name = nameOf(node) ?? holder;
    let inner = 0;
    node.forEachChild((child) => {
      inner += measure(child, name);
    });
    if (ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isJsxFragment(node)) return spanOf(node) - 1;
    if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return inner;
    const span = spanOf(node);
    found.push({ id: `${file.path}#${name}`, line: lineOf(node), span, own: span - inner });
    return span > 1 ? span - 1 : 0;
  };
  measure(file.tree, '(module)');
  return found;
}

function spanOf(node: ts.Node): number {
  const file = node.getSourceFile();
  const lineAt = (position: number): number => file.getLineAndCharacterOfPosition(position).line;
  return lineAt(node.getEnd()) - lineAt(node.getStart()) + 1;
}

function nameOf(node: ts.Node): string | undefined {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const named = node as { name?: ts.Node };
  return named.name && (ts.isIdentifier(named.name) || ts.isPrivateIdentifier(named.name))
    ? named.name.text
    : undefined;
}
