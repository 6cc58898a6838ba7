/** What the editor's buttons write, and what other panels write as manifests. */
import type { Client } from '../../../client/index.ts';
import { StatusError } from '../../../schema/index.ts';
import { delay } from '../../../std/index.ts';
import { applyManifests, type ApplyOptions, type ApplyWay, type Outcome } from '../../editor/apply.ts';
import { readManifests } from '../../editor/documents.ts';
import { pageClock } from '../../stores/liveObjects.ts';
import { servedBy } from '../../stores/resources.ts';
import { theCluster } from '../../stores/session.ts';
import type { Write } from '../../stores/writes.ts';
import { commandLine } from '../object/actions/commands.ts';

const apply = (client: Client, text: string, options: ApplyOptions): Promise<readonly Outcome[]> =>
  applyManifests(client, servedBy(client), readManifests(text), options, (ms) => delay(pageClock, ms));

const COMMANDS: Readonly<Record<ApplyWay, readonly string[]>> = {
  merge: ['apply'],
  serverSide: ['apply', '--server-side'],
  replace: ['replace'],
};

/** Brings a text of manifests into the cluster, or asks the server what would become of it. */
export const applying = (text: string, options: ApplyOptions): Write<readonly Outcome[]> => ({
  label: options.dryRun ? 'Dry run' : 'Apply',
  failed: 'The text was not applied.',
  send: (client) => apply(client, text, options),
  commands: () => [applyCommand(text, options)],
  ...(options.way === 'replace' ? { note: 'It works for existing objects only: create the others.' } : {}),
});

function applyCommand(text: string, { way, force, dryRun, namespace }: ApplyOptions): string {
  const more = [...(force ? ['--force-conflicts'] : []), ...(dryRun ? ['--dry-run=server'] : [])];
  const line = commandLine({ ctl: theCluster().names.ctl, namespace }, ...COMMANDS[way], ...more);
  return `${line} -f - <<'EOF'\n${text.trimEnd()}\nEOF`;
}

/** Merges manifests into what is there; rejects with the server's first refusal. */
export async function applyText(client: Client, text: string, namespace = ''): Promise<void> {
  const outcomes = await apply(client, text, { way: 'merge', force: false, dryRun: false, namespace });
  const failed = outcomes.find(({ did }) => did === 'failed');
  if (failed?.did === 'failed') throw new StatusError(failed.status);
}
