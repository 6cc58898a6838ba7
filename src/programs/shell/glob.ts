import { joinPath, type FileView } from '../files/index.ts';
import { parsePattern } from './pattern.ts';

/** Paths that one pattern may become. */
const MOST_PATHS = 10_000;

/** The paths that match a pattern, sorted; hidden files only if the pattern names them. */
export function globPaths(files: FileView, pattern: string): string[] {
  const absolute = pattern.startsWith('/');
  let found = [absolute ? '/' : ''];
  for (const name of pattern.split('/').filter(Boolean)) {
    found = found.flatMap((directory) => matchesIn(files, directory, name)).slice(0, MOST_PATHS);
  }
  return found.sort();
}

function matchesIn(files: FileView, directory: string, name: string): string[] {
  const { matches, isPlain } = parsePattern(name);
  const path = (entry: string): string => (directory === '' ? entry : joinPath(directory, entry));
  if (isPlain) {
    const plain = name.replace(/\\(.)/g, '$1');
    return files.look(path(plain), false) ? [path(plain)] : [];
  }
  if (!files.isDirectory(directory || '.')) return [];
  const names = files.list(directory || '.');
  return names.filter((entry) => (!entry.startsWith('.') || name.startsWith('.')) && matches(entry)).map(path);
}
