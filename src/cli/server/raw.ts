/** `--raw`: a request as it is, to a path that somebody names. */
import { StatusError } from '../../schema/index.ts';
import { loadYaml, yaml } from '../../std/index.ts';
import type { Call } from '../command/command.ts';
import { complaint, misused } from '../command/errors.ts';
import { text } from '../command/flags.ts';
import { wholeInput } from '../command/session.ts';
import type { fileFlags } from './manifests.ts';

export const rawFlag = text();

const NO_SUCH_PATH = 'the server could not find the requested resource';

/** Prints the answer to a path, as the server gives it. */
export async function printAnswer(
  { client, session }: Call,
  path: string,
  init: { readonly method?: 'POST' | 'PUT' | 'DELETE'; readonly body?: unknown } = {},
): Promise<void> {
  const asked = client.raw(path, { accept: 'application/json, */*', signal: session.signal, ...init });
  const answer = await asked.catch((error: unknown) => {
    // An unknown path is answered with the list of those that there are.
    const unknown = error instanceof StatusError && error.status.code === 404 && !error.status.details;
    throw unknown ? new StatusError({ ...error.status, message: NO_SUCH_PATH }) : error;
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) session.out(read.value);
}

/** Throws where a text is no path. */
export function checkPath(raw: string, commandPath: string): void {
  if (!raw.startsWith('/'))
    throw misused(`--raw must be a valid URL path: parse ${JSON.stringify(raw)}: invalid URI for request`, commandPath);
}

type RawCall = Call<Pick<typeof fileFlags, 'filename'> & Record<'raw' | 'output', ReturnType<typeof text>>>;

/** Sends one file to the path that `--raw` names, and prints the answer. */
export async function sendRaw(call: RawCall, method: 'POST' | 'PUT' | 'DELETE'): Promise<void> {
  const { flags: given, path, session } = call;
  const [file, ...more] = given.filename;
  if (method === 'PUT' && file === undefined) throw complaint('must specify one of -f and -k');
  if (method !== 'DELETE' && (file === undefined || more.length > 0))
    throw misused('--raw can only use a single local file or stdin', path);
  if (given.output !== '') throw misused('--raw and --output are mutually exclusive', path);
  checkPath(given.raw, path);
  if (file === undefined) return printAnswer(call, given.raw, { method });
  const content = file === '-' ? await wholeInput(session) : await session.files.read(file);
  if (content === undefined) throw complaint(`open ${file}: no such file or directory`);
  await loadYaml();
  await printAnswer(call, given.raw, { method, body: yaml().parse(content) as unknown });
}
