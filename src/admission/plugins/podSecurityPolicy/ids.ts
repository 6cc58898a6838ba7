/** The user and group ids of a pod's processes. */
import { field, Path, type FieldErrors, type objects } from '../../../schema/index.ts';
import { PolicyError, type Strategy, type StrategyMaker } from './strategy.ts';

type Range = objects.IDRange;

const POD_CONTEXT = Path.of('spec', 'securityContext');

/** Ranges in the reference's format. */
const showRanges = (ranges: readonly Range[]): string =>
  `[${ranges.map(({ min, max }) => `{${min} ${max}}`).join(' ')}]`;

const isInside = (id: number, ranges: readonly Range[]): boolean =>
  ranges.some(({ min, max }) => id >= min && id <= max);

/** The rule for one id, or for a list of them. */
interface GroupRule {
  /** The default value. */
  readonly first: number | undefined;
  check(path: Path, groups: readonly number[]): FieldErrors;
}

interface GroupOptions {
  readonly rule?: string;
  readonly ranges?: readonly Range[] | null;
}

function groupRule({ rule = '', ranges: given }: GroupOptions, what: string): GroupRule {
  const ranges = given ?? [];
  if (rule === 'RunAsAny') return { first: undefined, check: () => [] };
  if (rule !== 'MustRunAs' && rule !== 'MayRunAs') throw new PolicyError(`Unrecognized ${what} strategy type ${rule}`);
  if (ranges.length === 0) throw new PolicyError(`ranges must be supplied for ${rule}`);
  const inRanges = (path: Path, groups: readonly number[]): FieldErrors =>
    groups
      .filter((group) => !isInside(group, ranges))
      .map((group) => field.invalid(path, groups, `group ${group} must be in the ranges: ${showRanges(ranges)}`));
  if (rule === 'MayRunAs') return { first: undefined, check: inRanges };
  return {
    first: ranges[0]?.min,
    check: (path, groups) =>
      groups.length > 0
        ? inRanges(path, groups)
        : [field.invalid(path, groups, 'unable to validate empty groups against required ranges')],
  };
}

const listOf = (id: number | undefined): number[] => (id === undefined ? [] : [id]);

export const supplementalGroups: StrategyMaker = ({ spec }) => {
  const { first, check } = groupRule(spec.supplementalGroups, 'SupplementalGroups');
  return {
    fillPod: (pod) => {
      if (first === undefined || pod.spec.securityContext?.supplementalGroups) return;
      pod.spec.securityContext = { ...pod.spec.securityContext, supplementalGroups: [first] };
    },
    checkPod: (pod) =>
      check(POD_CONTEXT.child('supplementalGroups'), pod.spec.securityContext?.supplementalGroups ?? []),
  };
};

export const fsGroup: StrategyMaker = ({ spec }) => {
  const { first, check } = groupRule(spec.fsGroup, 'FSGroup');
  return {
    fillPod: (pod) => {
      if (first === undefined || pod.spec.securityContext?.fsGroup !== undefined) return;
      pod.spec.securityContext = { ...pod.spec.securityContext, fsGroup: first };
    },
    checkPod: (pod) => check(POD_CONTEXT.child('fsGroup'), listOf(pod.spec.securityContext?.fsGroup)),
  };
};

export const runAsGroup: StrategyMaker = ({ spec }) => {
  const { first, check } = groupRule(spec.runAsGroup ?? { rule: 'RunAsAny' }, 'RunAsGroup');
  return {
    fillContainer: ({ context }, set) => {
      if (first !== undefined && context.runAsGroup === undefined) set({ runAsGroup: first });
    },
    checkContainer: ({ context, path }) => check(path.child('securityContext'), listOf(context.runAsGroup)),
  };
};

export const runAsUser: StrategyMaker = ({ spec }) => {
  const { rule, ranges } = spec.runAsUser;
  if (rule === 'RunAsAny') return {};
  if (rule === 'MustRunAsNonRoot') return nonRoot;
  if (rule === 'MustRunAs') return userInside(ranges ?? []);
  throw new PolicyError(`Unrecognized RunAsUser strategy type ${rule}`);
};

function userInside(ranges: readonly Range[]): Strategy {
  const [first] = ranges;
  if (!first) throw new PolicyError('MustRunAs requires at least one range');
  return {
    fillContainer: ({ context }, set) => {
      if (context.runAsUser === undefined) set({ runAsUser: first.min });
    },
    checkContainer: ({ context, path }) => {
      const at = path.child('securityContext', 'runAsUser');
      if (context.runAsUser === undefined) return [field.required(at)];
      if (isInside(context.runAsUser, ranges)) return [];
      return [field.invalid(at, context.runAsUser, `must be in the ranges: ${showRanges(ranges)}`)];
    },
  };
}

/** The image may set the user; the node agent then checks that it is not root. */
const nonRoot: Strategy = {
  fillContainer: ({ context }, set) => {
    if (context.runAsNonRoot === undefined && context.runAsUser === undefined) set({ runAsNonRoot: true });
  },
  checkContainer: ({ context: { runAsNonRoot, runAsUser: user }, path }) => {
    const at = path.child('securityContext');
    if (runAsNonRoot === undefined && user === undefined)
      return [field.required(at.child('runAsNonRoot'), 'must be true')];
    if (runAsNonRoot === false) return [field.invalid(at.child('runAsNonRoot'), false, 'must be true')];
    return user === 0 ? [field.invalid(at.child('runAsUser'), 0, 'running with the root UID is forbidden')] : [];
  },
};
