import { callFrom } from './call.ts';
import type { Connection } from './connection.ts';

/** Asks the host of the cluster. Rejects with what it says where it refuses, or where nobody answers. */
export async function askHost(connection: Connection, path: string, init?: RequestInit): Promise<Response> {
  const response = await connection.send(await callFrom('host', path, init));
  if (response.ok) return response;
  const said = await response.text();
  throw new Error(messageIn(said) ?? `${path} was answered with ${response.status}`);
}

/** The message of an answer that is an object with one, such as a Status. */
function messageIn(text: string): string | undefined {
  try {
    const { message } = (JSON.parse(text) ?? {}) as { readonly message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
