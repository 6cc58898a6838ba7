/** AppArmor and seccomp profiles, which policies set in annotations. */
import { getOwn } from '../../../std/index.ts';
import { field, Path, seccompAnnotationOf, seccompKeys, type FieldErrors } from '../../../schema/index.ts';
import { annotate } from '../pods.ts';
import type { AdmittedPod, Container, Policy, StrategyMaker } from './strategy.ts';

const ANY = '*';

/** The profiles that a policy's annotation allows; undefined without one. */
function allowedIn(
  { metadata }: Policy,
  key: string,
): { readonly text: string; readonly names: readonly string[] } | undefined {
  const text = getOwn(metadata?.annotations, key);
  return text === undefined ? undefined : { text, names: text.split(',') };
}

const at = (key: string): Path => Path.of('pod', 'metadata', 'annotations').key(key);

export const appArmor: StrategyMaker = (policy, names) => {
  const base = names.fill('apparmor.security.beta.{label}');
  const standard = policy.metadata?.annotations?.[`${base}/defaultProfileName`] ?? '';
  const allowed = allowedIn(policy, `${base}/allowedProfileNames`);
  const keyOf = ({ name }: Container): string => `container.${base}/${name}`;
  return {
    fillContainer: ({ pod, container }) => {
      if (standard !== '' && !getOwn(pod.metadata?.annotations, keyOf(container)))
        annotate(pod, { [keyOf(container)]: standard });
    },
    checkContainer: ({ pod, container }): FieldErrors => {
      if (!allowed) return [];
      const profile = getOwn(pod.metadata?.annotations, keyOf(container)) ?? '';
      if (allowed.names.includes(profile)) return [];
      return [
        field.forbidden(
          at(keyOf(container)),
          profile === ''
            ? 'AppArmor profile must be set'
            : `${profile} is not an allowed profile. Allowed values: ${JSON.stringify(allowed.text)}`,
        ),
      ];
    },
  };
};

export const seccomp: StrategyMaker = (policy, names) => {
  const base = names.fill('seccomp.security.alpha.{label}');
  const standard = policy.metadata?.annotations?.[`${base}/defaultProfileName`] ?? '';
  const allowed = allowedIn(policy, `${base}/allowedProfileNames`);
  const keys = seccompKeys(names);
  const podProfile = (pod: AdmittedPod): string =>
    getOwn(pod.metadata?.annotations, keys.pod) ?? seccompAnnotationOf(pod.spec.securityContext?.seccompProfile) ?? '';
  const containerProfile = (pod: AdmittedPod, container: Container): string =>
    getOwn(pod.metadata?.annotations, keys.container(container.name)) ??
    seccompAnnotationOf(container.securityContext?.seccompProfile) ??
    podProfile(pod);
  const check = (key: string, profile: string): FieldErrors => {
    if (!allowed) return profile === '' ? [] : [field.forbidden(at(key), 'seccomp may not be set')];
    if (allowed.names.includes(ANY) || allowed.names.includes(profile)) return [];
    return [field.forbidden(at(key), `${profile} is not an allowed seccomp profile. Valid values are ${allowed.text}`)];
  };
  return {
    fillPod: (pod) => {
      const profile = podProfile(pod) === '' ? standard : podProfile(pod);
      if (profile !== '' && getOwn(pod.metadata?.annotations, keys.pod) !== profile)
        annotate(pod, { [keys.pod]: profile });
    },
    checkPod: (pod) => check(keys.pod, podProfile(pod)),
    checkContainer: ({ pod, container }) => check(keys.container(container.name), containerProfile(pod, container)),
  };
};
