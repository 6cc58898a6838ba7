/** CSI drivers: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { each, immutable, oneOf, type Errors } from '../meta/checks.ts';
import type { CSIDriver, CSIDriverSpec, TokenRequest } from './csiDriver.ts';

const SPEC = Path.of('spec');
const MIN_TOKEN_SECONDS = 10 * 60;
const MAX_TOKEN_SECONDS = 2 ** 32;
const FS_GROUP_POLICIES = ['ReadWriteOnceWithFSType', 'File', 'None'];
const LIFECYCLE_MODES = ['Persistent', 'Ephemeral'];

function* validateSpec(spec: CSIDriverSpec): Errors {
  // The reference's own spelling of the field.
  if (spec.attachRequired === undefined) yield field.required(SPEC.child('attachedRequired'));
  if (spec.podInfoOnMount === undefined) yield field.required(SPEC.child('podInfoOnMount'));
  if (spec.fsGroupPolicy !== undefined) {
    yield* oneOf(spec.fsGroupPolicy, FS_GROUP_POLICIES, SPEC.child('fsGroupPolicy'));
  }
  yield* validateTokenRequests(spec.tokenRequests ?? [], SPEC.child('tokenRequests'));
  for (const mode of spec.volumeLifecycleModes ?? []) {
    yield* oneOf(mode, LIFECYCLE_MODES, SPEC.child('volumeLifecycleModes'));
  }
}

function* validateTokenRequests(requests: readonly TokenRequest[], path: Path): Errors {
  const audiences = requests.map(({ audience }) => audience);
  yield* each(requests, path, ({ audience, expirationSeconds: seconds }, at, i) => {
    if (audiences.indexOf(audience) < i) return [field.duplicate(at.child('audience'), audience)];
    if (seconds === undefined) return [];
    const expiration = at.child('expirationSeconds');
    if (seconds < MIN_TOKEN_SECONDS)
      return [field.invalid(expiration, seconds, 'may not specify a duration less than 10 minutes')];
    if (seconds > MAX_TOKEN_SECONDS)
      return [field.invalid(expiration, seconds, 'may not specify a duration larger than 2^32 seconds')];
    return [];
  });
}

/** The fields that need a gate, where they were not in use before. */
const GATED = [
  ['storageCapacity', 'CSIStorageCapacity'],
  ['volumeLifecycleModes', 'CSIInlineVolume'],
  ['fsGroupPolicy', 'CSIVolumeFSGroupPolicy'],
  ['tokenRequests', 'CSIServiceAccountToken'],
  ['requiresRepublish', 'CSIServiceAccountToken'],
] as const;

function dropDisabled({ spec }: CSIDriver, old: CSIDriver | undefined, { gate }: RuleContext): void {
  for (const [name, needed] of GATED) if (!gate(needed) && old?.spec[name] === undefined) delete spec[name];
}

export const csiDriverRules: Rules<CSIDriver> = {
  unconditionalUpdate: false,
  prepareCreate: (driver, context) => dropDisabled(driver, undefined, context),
  prepareUpdate: dropDisabled,
  createChecks: 2,
  validate: ({ spec }) => [...validateSpec(spec)],
  updateChecks: ['metadata', 'change'],
  validateUpdate: ({ spec }, { spec: old }) => immutable(spec, old, SPEC),
};
