/**
 * The files of a cluster on disk, such as token tables and keys: its own storage has them, the page's list does not.
 */
import type { ClusterOptions } from '../../cluster/index.ts';
import type { FilesAnswer } from '../worker/control.ts';
import { callFrom } from './call.ts';
import type { Connection } from './connection.ts';

type Files = NonNullable<ClusterOptions['files']>;

/**
 * Makes an open cluster store the given files, whichever tab serves it, or reads its files if none were given. `kept`
 * is false if its storage can't be written.
 */
export async function settleFiles(
  connection: Pick<Connection, 'send'>,
  given: Files | undefined,
): Promise<{ readonly files: Files; readonly kept: boolean }> {
  if (given === undefined) return { files: (await ask<Files>(connection)) ?? {}, kept: true };
  const answer = await ask<FilesAnswer>(connection, given);
  return { files: given, kept: answer?.kept === true };
}

/** Undefined where a tab with an older version of the page serves the cluster, which doesn't know the question. */
async function ask<T>(connection: Pick<Connection, 'send'>, body?: Files): Promise<T | undefined> {
  const init = body && { method: 'POST', body: JSON.stringify(body) };
  const response = await connection.send(await callFrom('host', '/files', init));
  return response.ok ? ((await response.json()) as T) : undefined;
}
