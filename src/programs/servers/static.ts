import { getOwn } from '../../std/index.ts';
import { SystemError } from '../errors.ts';
import { joinPath, normalize } from '../files/index.ts';
import type { Answer } from '../network/index.ts';
import type { Process } from '../process.ts';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  gif: 'image/gif',
  htm: 'text/html',
  html: 'text/html',
  jpg: 'image/jpeg',
  js: 'application/javascript',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
};

/** Of a file whose name says nothing. */
export const UNKNOWN_TYPE = 'application/octet-stream';

/** How an error is shown by a server. */
export type ErrorPage = (status: number) => Answer;

/** A file below a root, as web servers send it. `path` is the path of the request. */
export function staticFile(
  { files }: Process,
  root: string,
  path: string,
  index: readonly string[],
  error: ErrorPage,
): Answer {
  let wanted: string;
  try {
    wanted = joinPath(root, normalize(decodeURIComponent(path)).slice(1));
  } catch {
    return error(400);
  }
  try {
    if (files.isDirectory(wanted) && !path.endsWith('/')) return { status: 301, headers: { Location: `${path}/` } };
    const file = files.isDirectory(wanted)
      ? index.map((name) => joinPath(wanted, name)).find((name) => files.look(name))
      : wanted;
    if (file === undefined) return error(403);
    const type = getOwn(TYPES, file.slice(file.lastIndexOf('.') + 1)) ?? UNKNOWN_TYPE;
    return { body: files.read(file).slice(), headers: { 'Content-Type': type } };
  } catch (problem) {
    if (!(problem instanceof SystemError)) throw problem;
    return error(problem.code === 'EACCES' ? 403 : 404);
  }
}
