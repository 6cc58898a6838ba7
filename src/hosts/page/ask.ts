import { callFrom } from './call.ts';
import type { Connection } from './connection.ts';

/** Asks the host of the cluster. Rejects with what it says where it refuses, or where nobody answers. */
export async function askHost(connection: Connection, path: string, init?: RequestInit): Promise<Response> {
  const response = await connection.send(await callFrom('host', path, init));
  if (response.ok) return response;
  const said = (await response.json().catch(() => undefined)) as { readonly message?: string } | null | undefined;
  throw new Error(said?.message ?? `${path}: ${response.status}`);
}
