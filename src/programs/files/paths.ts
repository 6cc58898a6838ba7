import { trimRight } from '../../std/index.ts';

/** An absolute path without `.`, `..` and doubled slashes; symbolic links stay. */
export function normalize(path: string, cwd = '/'): string {
  const names: string[] = [];
  for (const name of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}

/** The last name of a path: `/a/b/` → `b`. */
export function baseName(path: string): string {
  const trimmed = trimRight(path, '/');
  return trimmed === '' ? (path === '' ? '' : '/') : trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

/** All but the last name of a path: `/a/b` → `/a`, `b` → `.`. */
export function directoryName(path: string): string {
  const trimmed = trimRight(path, '/');
  if (trimmed === '') return path === '' ? '.' : '/';
  const slash = trimmed.lastIndexOf('/');
  if (slash < 0) return '.';
  return trimRight(trimmed.slice(0, slash), '/') || '/';
}

export const joinPath = (directory: string, name: string): string =>
  directory.endsWith('/') ? directory + name : `${directory}/${name}`;
