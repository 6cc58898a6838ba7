import { callFrom } from './call.ts';
import type { Connection } from './connection.ts';

/** Sends a request to the host of the cluster. Rejects with its error, or if there is no answer. */
export async function askHost(connection: Connection, path: string, init?: RequestInit): Promise<Response> {
  const response = await connection.send(await callFrom('host', path, init));
  if (response.ok) return response;
  const said = (await response.json().catch(() => undefined)) as { readonly message?: string } | null | undefined;
  throw new Error(said?.message ?? `${path}: ${response.status}`);
}
