/** The rules for security contexts, and for the annotations that once stood for parts of them. */
import { getOwn } from '../../std/index.ts';
import * as field from '../define/fieldErrors.ts';
import type { FieldErrors, Path } from '../define/fieldErrors.ts';
import type { RuleContext } from '../define/kind.ts';
import { complaints, each, oneOf, type Errors } from '../meta/checks.ts';
import { checkSubdomain, checkUserId } from '../values/names.ts';
import type { PodSpec } from './podSpec.ts';
import { seccompFromAnnotation, seccompKeys } from './seccomp.ts';
import type {
  PodSecurityContext,
  SeccompProfile,
  SecurityContext,
  Sysctl,
  WindowsSecurityContextOptions,
} from './securityContext.ts';
import { validateDescendingPath } from './volumeSources.rules.ts';

function validateId(id: number | undefined, path: Path): FieldErrors {
  return id === undefined ? [] : complaints(path, id, checkUserId(id));
}

export function* validatePodSecurityContext(
  context: PodSecurityContext | undefined,
  spec: PodSpec,
  path: Path,
): Errors {
  const at = path.child('securityContext');
  if (spec.hostNetwork) yield* validateHostPorts(spec, path.child('containers'));
  yield* validateId(context?.fsGroup, at.child('fsGroup'));
  yield* validateId(context?.runAsUser, at.child('runAsUser'));
  yield* validateId(context?.runAsGroup, at.child('runAsGroup'));
  yield* each(context?.supplementalGroups, at.child('supplementalGroups'), (group, item) => validateId(group, item));
  if (spec.shareProcessNamespace && spec.hostPID) {
    yield field.invalid(
      at.child('shareProcessNamespace'),
      true,
      'ShareProcessNamespace and HostPID cannot both be enabled',
    );
  }
  yield* validateSysctls(context?.sysctls, at.child('sysctls'));
  if (context?.fsGroupChangePolicy !== undefined) {
    yield* oneOf(context.fsGroupChangePolicy, ['Always', 'OnRootMismatch'], at.child('fsGroupChangePolicy'));
  }
  if (context?.seccompProfile) yield* validateSeccompProfile(context.seccompProfile, at.child('seccompProfile'));
  if (context?.windowsOptions) yield* validateWindowsOptions(context.windowsOptions, at.child('windowsOptions'));
}

/** On the host's network a container's port is the host's. */
function* validateHostPorts(spec: PodSpec, path: Path): Errors {
  yield* each(spec.containers, path, (container, at) =>
    each(container.ports, at.child('ports'), function* (port, item) {
      if ((port.hostPort ?? 0) !== port.containerPort)
        yield field.invalid(
          item.child('containerPort'),
          port.containerPort,
          'must match `hostPort` when `hostNetwork` is true',
        );
    }),
  );
}

const SEGMENT = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
export const SYSCTL_FORMAT = `(${SEGMENT}\\.)*${SEGMENT}`;
const SYSCTL = new RegExp(`^${SYSCTL_FORMAT}$`);
const MAX_SYSCTL = 253;
export const isSysctlName = (name: string): boolean => name.length <= MAX_SYSCTL && SYSCTL.test(name);

function* validateSysctls(sysctls: readonly Sysctl[] | undefined, path: Path): Errors {
  const seen = new Set<string>();
  yield* each(sysctls, path, function* ({ name }, at) {
    if (name === '') yield field.required(at.child('name'));
    else if (!isSysctlName(name))
      yield field.invalid(
        at.child('name'),
        name,
        `must have at most ${MAX_SYSCTL} characters and match regex ${SYSCTL_FORMAT}`,
      );
    else if (seen.has(name)) yield field.duplicate(at.child('name'), name);
    seen.add(name);
  });
}

export function* validateSecurityContext(context: SecurityContext, path: Path, { flag }: RuleContext): Errors {
  const { privileged, capabilities, procMount, allowPrivilegeEscalation } = context;
  if (privileged && flag('allow-privileged') !== 'true')
    yield field.forbidden(path.child('privileged'), 'disallowed by cluster policy');
  yield* validateId(context.runAsUser, path.child('runAsUser'));
  yield* validateId(context.runAsGroup, path.child('runAsGroup'));
  if (procMount !== undefined) yield* oneOf(procMount, ['Default', 'Unmasked'], path.child('procMount'));
  if (context.seccompProfile) yield* validateSeccompProfile(context.seccompProfile, path.child('seccompProfile'));
  if (allowPrivilegeEscalation === false) {
    if (privileged)
      yield field.invalid(path, context, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true');
    for (const name of capabilities?.add ?? []) {
      if (name === 'CAP_SYS_ADMIN')
        yield field.invalid(
          path,
          context,
          'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
        );
    }
  }
  if (context.windowsOptions) yield* validateWindowsOptions(context.windowsOptions, path.child('windowsOptions'));
}

const SECCOMP_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function* validateSeccompProfile({ type, localhostProfile }: SeccompProfile, path: Path): Errors {
  if (type === '') yield field.required(path.child('type'), 'type is required when seccompProfile is set');
  else yield* oneOf(type, SECCOMP_TYPES, path.child('type'));
  const at = path.child('localhostProfile');
  if (type !== 'Localhost') {
    if (localhostProfile !== undefined)
      yield field.invalid(at, localhostProfile, 'can only be set when seccomp type is Localhost');
  } else if (localhostProfile === undefined) yield field.required(at, 'must be set when seccomp type is Localhost');
  else yield* validateDescendingPath(localhostProfile, at);
}

const MAX_SPEC_BYTES = 64 * 1024;

function* validateWindowsOptions(options: WindowsSecurityContextOptions, path: Path): Errors {
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  if (name !== undefined) yield* complaints(path.child('gmsaCredentialSpecName'), name, checkSubdomain(name));
  if (spec === '')
    yield field.invalid(path.child('gmsaCredentialSpec'), spec, 'gmsaCredentialSpec cannot be an empty string');
  if ((spec?.length ?? 0) > MAX_SPEC_BYTES)
    yield field.invalid(path.child('gmsaCredentialSpec'), spec, 'gmsaCredentialSpec size must be under 64 KiB');
  if (user !== undefined) yield* complaints(path.child('runAsUserName'), user, checkWindowsUser(user));
}

const NETBIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const DNS_DOMAIN = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`);

/** A Windows user, `DOMAIN\\user` or `user`. */
function checkWindowsUser(text: string): readonly string[] {
  if (text === '') return ['runAsUserName cannot be an empty string'];
  if (/\p{Cc}/u.test(text)) return ['runAsUserName cannot contain control characters'];
  const parts = text.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts[parts.length - 1] as string;
  const domain = parts.length === 2 ? (parts[0] as string) : undefined;
  const wrong: string[] = [];
  if ((domain?.length ?? 0) >= 256) wrong.push("runAsUserName's Domain length must be under 256 characters");
  if (domain !== undefined && !NETBIOS.test(domain) && !DNS_DOMAIN.test(domain))
    wrong.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  if (user === '') wrong.push("runAsUserName's User cannot be empty");
  if (user.length > 104) wrong.push("runAsUserName's User length must not be longer than 104 characters");
  if (/^[. ]+$/.test(user)) wrong.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user))
    wrong.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  return wrong;
}

/** A seccomp annotation and field of a pod must be equal. */
export function* validateSeccompAgreement(
  annotations: Readonly<Record<string, string>>,
  spec: PodSpec,
  path: Path,
  { names }: RuleContext,
): Errors {
  const keys = seccompKeys(names);
  yield* validateAgreement(
    getOwn(annotations, keys.pod),
    spec.securityContext?.seccompProfile,
    path.child('securityContext', 'seccompProfile'),
  );
  for (const list of ['initContainers', 'containers'] as const) {
    yield* each(spec[list], path.child(list), (container, at) =>
      validateAgreement(
        getOwn(annotations, keys.container(container.name)),
        container.securityContext?.seccompProfile,
        at.child('securityContext', 'seccompProfile'),
      ),
    );
  }
}

function* validateAgreement(annotation: string | undefined, profile: SeccompProfile | undefined, path: Path): Errors {
  // A type that nobody knows has been reported already.
  if (annotation === undefined || !profile || !SECCOMP_TYPES.includes(profile.type)) return;
  const said = seccompFromAnnotation(annotation);
  const localhost = annotation.startsWith('localhost/');
  if (profile.type === 'Localhost' ? !localhost : said?.type !== profile.type)
    yield field.forbidden(path.child('type'), 'seccomp type in annotation and field must match');
  else if (localhost && said?.localhostProfile !== profile.localhostProfile)
    yield field.forbidden(path.child('localhostProfile'), 'seccomp profile in annotation and field must match');
}
