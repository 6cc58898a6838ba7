/** The privileges of a container's processes: capabilities, privileged mode, proc mounts, writable root. */
import { field, type FieldErrors, type objects, type Path } from '../../../schema/index.ts';
import type { StrategyMaker } from './strategy.ts';

export const capabilities: StrategyMaker = ({ spec }) => {
  const added = spec.defaultAddCapabilities ?? [];
  const dropped = spec.requiredDropCapabilities ?? [];
  const allowed = spec.allowedCapabilities ?? [];
  return {
    fillContainer: ({ container }, set) => {
      const own = container.securityContext?.capabilities ?? {};
      const add = union(
        added.filter((name) => !own.drop?.includes(name)),
        own.add,
      );
      const drop = union(dropped, own.drop);
      if (add.length === new Set(own.add).size && drop.length === new Set(own.drop).size) return;
      set({ capabilities: { ...(add.length > 0 ? { add } : {}), ...(drop.length > 0 ? { drop } : {}) } });
    },
    checkContainer: ({ context: { capabilities: own }, path }): FieldErrors => {
      const at = path.child('securityContext', 'capabilities');
      if (!own)
        return added.length === 0 && dropped.length === 0
          ? []
          : [field.invalid(at, null, 'required capabilities are not set on the securityContext')];
      return allowed.includes('*') ? [] : checkLists(own, [...added, ...allowed], dropped, at);
    },
  };
};

const union = (a: readonly string[], b: readonly string[] | undefined): string[] =>
  [...new Set([...a, ...(b ?? [])])].sort();

function checkLists(
  own: objects.Capabilities,
  allowed: readonly string[],
  dropped: readonly string[],
  at: Path,
): FieldErrors {
  const { add = [], drop = [] } = own;
  return [
    ...add
      .filter((name) => !allowed.includes(name))
      .map((name) => field.invalid(at.child('add'), name, 'capability may not be added')),
    ...dropped
      .filter((name) => !drop.includes(name))
      .map((name) => field.invalid(at.child('drop'), drop, `${name} is required to be dropped but was not found`)),
  ];
}

export const privileged: StrategyMaker = ({ spec }) => ({
  checkContainer: ({ context, path }) =>
    context.privileged === true && spec.privileged !== true
      ? [field.invalid(path.child('securityContext', 'privileged'), true, 'Privileged containers are not allowed')]
      : [],
});

export const procMount: StrategyMaker = ({ spec }) => {
  const allowed = spec.allowedProcMountTypes?.length ? spec.allowedProcMountTypes : ['Default'];
  return {
    checkContainer: ({ context: { procMount: type = 'Default' }, path }) =>
      allowed.includes(type)
        ? []
        : [field.invalid(path.child('securityContext', 'procMount'), type, 'ProcMountType is not allowed')],
  };
};

export const readOnlyRootFilesystem: StrategyMaker = ({ spec }) => {
  if (spec.readOnlyRootFilesystem !== true) return {};
  return {
    fillContainer: ({ context }, set) => {
      if (context.readOnlyRootFilesystem === undefined) set({ readOnlyRootFilesystem: true });
    },
    checkContainer: ({ context: { readOnlyRootFilesystem: is }, path }) => {
      const at = path.child('securityContext', 'readOnlyRootFilesystem');
      if (is === undefined)
        return [field.invalid(at, null, 'ReadOnlyRootFilesystem may not be nil and must be set to true')];
      return is ? [] : [field.invalid(at, is, 'ReadOnlyRootFilesystem must be set to true')];
    },
  };
};

export const privilegeEscalation: StrategyMaker = ({ spec }) => {
  const allowed = spec.allowPrivilegeEscalation ?? true;
  const standard = spec.defaultAllowPrivilegeEscalation ?? (allowed ? undefined : false);
  return {
    fillContainer: ({ context }, set) => {
      if (standard !== undefined && context.allowPrivilegeEscalation === undefined)
        set({ allowPrivilegeEscalation: standard });
    },
    checkContainer: ({ context: { allowPrivilegeEscalation: wanted }, path }) =>
      allowed || wanted === false
        ? []
        : [
            field.invalid(
              path.child('securityContext', 'allowPrivilegeEscalation'),
              wanted ?? null,
              'Allowing privilege escalation for containers is not allowed',
            ),
          ],
  };
};
