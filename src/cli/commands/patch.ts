/** `patch`: sends a patch as it was typed. */
import { Client, type PatchType } from '../../client/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import { deepEqual, type JsonRequestInit } from '../../std/index.ts';
import { command, type Call } from '../command/command.ts';
import { dryRunFlag, dryRunOf } from '../command/dryRun.ts';
import { forEach } from '../command/each.ts';
import { complaint } from '../command/errors.ts';
import { text, toggle } from '../command/flags.ts';
import { recordFlags, recordPatch } from '../command/record.ts';
import { resultFlags, resultPrinter, type ResultPrinter } from '../output/result.ts';
import { fileFlags } from '../server/manifests.ts';
import { isJsonStream } from '../server/jsonStream.ts';
import { patchedHere } from '../server/patched.ts';
import { liveOrLocal } from '../server/selected.ts';
import { loadYaml, readYaml } from '../server/yaml.ts';

const flags = {
  ...fileFlags,
  ...recordFlags,
  'dry-run': dryRunFlag,
  local: toggle(),
  'field-manager': text(),
  ...resultFlags,
  patch: text({ short: 'p' }),
  'patch-file': text(),
  type: text({ initial: 'strategic' }),
};

type PatchCall = Call<typeof flags>;

const TYPES: readonly PatchType[] = ['json', 'merge', 'strategic'];

export const patch = command({
  name: 'patch',
  flags,
  run: async (call) => {
    const type = typeOf(call.flags.type);
    const typed = await textOf(call);
    const body = await bodyOf(typed, call.flags.local);
    const client = body === undefined ? clientOf(call, typed) : call.client;
    const dryRun = dryRunOf(call.flags['dry-run']);
    if (call.flags.local && call.args.length > 0) throw complaint('cannot specify --local and server resources');
    if (call.flags.local && dryRun === 'server')
      throw complaint('cannot specify --local and --dry-run=server - did you mean --dry-run=client?');
    // As in the reference, each object has a printer of its own: documents of YAML do not stand apart.
    const newPrinter = (): Promise<ResultPrinter> => resultPrinter(call.session, call.flags);
    await newPrinter();
    const fieldManager = call.flags['field-manager'] || `${call.session.program}-patch`;
    const what = (changed: boolean): string => (changed ? 'patched' : 'patched (no change)');
    await forEach(await liveOrLocal(call, call.args), async ({ resource, object }) => {
      const printer = await newPrinter();
      if (call.flags.local) {
        const after = await patchedHere(call.client.names, resource, object, { type, body });
        return printer.print({ resource, object: after }, what(!deepEqual(object, after)));
      }
      // Only the server knows how every kind merges, so it is asked for a dry run of either sort.
      const options = { fieldManager, dryRun: dryRun !== 'none' };
      const after = await client.of(resource).patch(object, type, body === undefined ? {} : body, options);
      const note = recordPatch(call);
      if (note && dryRun === 'none') await call.client.of(resource).patch(after, 'merge', note, { fieldManager });
      printer.print({ resource, object: after }, what(hasChanged(object, after)));
    });
  },
});

function typeOf(name: string): PatchType {
  const type = TYPES.find((each) => each === name.toLowerCase());
  if (!type) throw complaint(`--type must be one of [${TYPES.join(' ')}], not ${JSON.stringify(name)}`);
  return type;
}

async function textOf({ flags: { patch: typed, 'patch-file': path }, session }: PatchCall): Promise<string> {
  if (typed === '' && path === '')
    throw complaint('must specify --patch or --patch-file containing the contents of the patch');
  if (typed !== '' && path !== '') throw complaint('cannot specify --patch and --patch-file together');
  const read = path === '' ? typed : await session.files.read(path);
  if (read === undefined) throw complaint(`unable to read patch file: open ${path}: no such file or directory`);
  return read;
}

/** The value of a text, which may be YAML; undefined for broken JSON, which the server is to judge. */
async function bodyOf(typed: string, local: boolean): Promise<unknown> {
  if (!local && isJsonStream(typed)) return bodyOfJson(typed);
  await loadYaml();
  try {
    return readYaml(typed)[0] ?? null;
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).replace(
      /^error converting YAML to JSON: /,
      '',
    );
    throw complaint(`unable to parse ${JSON.stringify(typed)}: ${why}`);
  }
}

/** Undefined for broken JSON: the server refuses it. */
function bodyOfJson(typed: string): unknown {
  try {
    return JSON.parse(typed) as unknown;
  } catch {
    return undefined;
  }
}

/** A client whose patches are this text. */
const clientOf = ({ transport, session }: PatchCall, text: string): Client =>
  new Client({
    transport: (path, { json: _, ...init }: JsonRequestInit = {}) => transport(path, { ...init, body: text }),
    ...{ names: session.names, userAgent: session.program },
  });

function hasChanged(before: ApiObject, after: ApiObject): boolean {
  const content = ({
    metadata: { managedFields: _, resourceVersion: __, ...metadata },
    ...rest
  }: ApiObject): unknown => ({
    ...rest,
    metadata,
  });
  return !deepEqual(content(before), content(after));
}
