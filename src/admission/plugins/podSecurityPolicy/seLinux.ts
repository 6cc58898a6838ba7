/** SELinux labels of the processes of a pod. */
import { field, Path, type FieldErrors, type objects } from '../../../schema/index.ts';
import { PolicyError, type StrategyMaker } from './strategy.ts';

type Options = objects.SELinuxOptions;

export const seLinux: StrategyMaker = ({ spec }) => {
  const { rule, seLinuxOptions: wanted } = spec.seLinux;
  if (rule === 'RunAsAny') return {};
  if (rule !== 'MustRunAs') throw new PolicyError(`Unrecognized SELinuxContext strategy type ${rule}`);
  if (!wanted) throw new PolicyError('MustRunAs requires SELinuxOptions');
  return {
    fillPod: (pod) => {
      if (pod.spec.securityContext?.seLinuxOptions) return;
      pod.spec.securityContext = { ...pod.spec.securityContext, seLinuxOptions: { ...wanted } };
    },
    checkPod: (pod) =>
      check(Path.of('spec', 'securityContext', 'seLinuxOptions'), wanted, pod.spec.securityContext?.seLinuxOptions),
    checkContainer: ({ context, path }) =>
      check(path.child('securityContext', 'seLinuxOptions'), wanted, context.seLinuxOptions),
  };
};

function check(path: Path, wanted: Options, actual: Options | undefined): FieldErrors {
  if (!actual) return [field.required(path)];
  return (['level', 'role', 'type', 'user'] as const).flatMap((part) => {
    const { [part]: want = '' } = wanted;
    const { [part]: got = '' } = actual;
    const same = part === 'level' ? sameLevel(want, got) : want === got;
    return same ? [] : [field.invalid(path.child(part), got, `must be ${want}`)];
  });
}

/** Levels such as `s0:c6,c0`, whose categories have any order. */
function sameLevel(a: string, b: string): boolean {
  if (a === b) return true;
  const [sensitivityA, ...categoriesA] = a.split(':');
  const [sensitivityB, ...categoriesB] = b.split(':');
  if (categoriesA.length === 0 || categoriesB.length === 0 || sensitivityA !== sensitivityB) return false;
  const sorted = (categories: readonly string[]): string => categories.join(':').split(',').sort().join(',');
  return sorted(categoriesA) === sorted(categoriesB);
}
