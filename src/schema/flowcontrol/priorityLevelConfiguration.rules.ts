/** Priority levels: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { Rules } from '../define/kind.ts';
import { keepAllButStatus } from '../meta/checked.ts';
import { clearStatus, sameValue, type Errors } from '../meta/checks.ts';
import { validateConditions } from './conditions.rules.ts';
import { mandatoryPriorityLevels } from './mandatory.ts';
import type {
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from './priorityLevelConfiguration.ts';

const SPEC = Path.of('spec');
const MAX_QUEUES = 10_000_000;
/** The number of hash bits available for dealing hands. */
const HASH_BITS = 60;

function* validate({ metadata, spec, status }: PriorityLevelConfiguration): Errors {
  const name = metadata.name ?? '';
  yield* validateSpec(spec, name);
  const fixed = Object.hasOwn(mandatoryPriorityLevels, name) ? mandatoryPriorityLevels[name] : undefined;
  if (fixed && !sameValue(spec, fixed)) yield field.invalid(SPEC, spec, `spec of '${name}' must equal the fixed value`);
  yield* validateConditions(status.conditions);
}

function* validateSpec({ type, limited }: PriorityLevelConfigurationSpec, name: string): Errors {
  if ((name === 'exempt') !== (type === 'Exempt'))
    yield field.invalid(SPEC.child('type'), type, "type must be 'Exempt' if and only if name is 'exempt'");
  const at = SPEC.child('limited');
  if (type === 'Limited') {
    if (limited) yield* validateLimited(limited, at);
    else yield field.required(at, 'must not be empty when type is Limited');
  } else if (type !== 'Exempt') yield field.notSupported(SPEC.child('type'), type, ['Exempt', 'Limited']);
  else if (limited) yield field.forbidden(at, 'must be nil if the type is not Limited');
}

function* validateLimited(limited: LimitedPriorityLevelConfiguration, path: Path): Errors {
  const shares = limited.assuredConcurrencyShares;
  if (shares <= 0) yield field.invalid(path.child('assuredConcurrencyShares'), shares, 'must be positive');
  yield* validateResponse(limited.limitResponse, path.child('limitResponse'));
}

function* validateResponse({ type, queuing }: LimitResponse, path: Path): Errors {
  const at = path.child('queuing');
  if (type === 'Queue') {
    if (queuing) yield* validateQueuing(queuing, at);
    else yield field.required(at, 'must not be empty if limited.limitResponse.type is Limited');
  } else if (type !== 'Reject') yield field.notSupported(path.child('type'), type, ['Queue', 'Reject']);
  else if (queuing) yield field.forbidden(at, 'must be nil if limited.limitResponse.type is not Limited');
}

function* validateQueuing({ queueLengthLimit: limit, queues, handSize }: QueuingConfiguration, path: Path): Errors {
  if (limit <= 0) yield field.invalid(path.child('queueLengthLimit'), limit, 'must be positive');
  if (queues <= 0) yield field.invalid(path.child('queues'), queues, 'must be positive');
  if (queues > MAX_QUEUES) yield field.invalid(path.child('queues'), queues, `must not be greater than ${MAX_QUEUES}`);
  const wrong = complaintAboutHand(handSize, queues);
  if (wrong !== undefined) yield field.invalid(path.child('handSize'), handSize, wrong);
}

function complaintAboutHand(handSize: number, queues: number): string | undefined {
  if (handSize <= 0) return 'must be positive';
  if (handSize > queues) return `should not be greater than queues (${queues})`;
  if (Math.ceil(Math.log2(queues) * handSize) <= HASH_BITS) return undefined;
  return `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${HASH_BITS}`;
}

export const priorityLevelConfigurationRules: Rules<PriorityLevelConfiguration> = {
  generation: true,
  prepareCreate: clearStatus,
  prepareStatusUpdate: keepAllButStatus,
  validate: (level) => [...validate(level)],
  updateChecks: ['alone'],
  validateStatusUpdate: ({ status }) => [...validateConditions(status.conditions)],
};
