/** Code that only some clusters need, loaded on demand. */
import type { Auditor } from '../audit/index.ts';
import { Part, type Loadable } from '../std/index.ts';
import type { AuditSettings } from './audit.ts';
import { seldomRules } from './flags/rules/apiserver.ts';
import type { ComponentKey } from './flags/declarations/index.ts';
import type { FlagReading, FlagSurroundings } from './flags/read.ts';

const auditing = new Part(() => import('./audit.ts'));
/** Validates every file that a flag names. */
export const contents = new Part(() => import('./flags/contents.ts'));

/** The cluster at a past revision. */
export const lookingBack = new Part(() => import('./past.ts'));

const hidingSecrets = new Part(() => import('./exported.ts'));

export const optionalParts: readonly Loadable[] = [auditing, seldomRules, contents, lookingBack, hidingSecrets];

/** Undefined without a policy: then nothing is recorded. */
export async function auditIfAsked(settings: AuditSettings): Promise<Auditor | undefined> {
  if ((settings.flag('audit-policy-file') ?? '') === '') return undefined;
  return (await auditing.load()).startAudit(settings);
}

/** Throws FlagError if a component has an invalid file. */
export async function checkFiles(
  readings: Readonly<Record<ComponentKey, FlagReading>>,
  surroundings: FlagSurroundings,
): Promise<void> {
  if (Object.keys(surroundings.files).length > 0) await (await contents.load()).checkContents(readings, surroundings);
}

/** The lines of an export, unchanged or with hidden secrets; chunks may be split within a line. */
export async function* withoutSecretLines(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield* (await hidingSecrets.load()).withoutSecretLines(chunks);
}
