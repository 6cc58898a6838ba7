/**
 * The modules of `--authorization-mode` in order: the first that allows or denies decides (specification, Authorization
 * 2).
 */
import type { UserInfo } from '../authn/index.ts';
import type { Attributes, Authorization, Authorizer, RuleSummary, Verdict } from './types.ts';

export interface AuthorizationChain {
  readonly modules: readonly Authorizer[];
  /** Synchronous if every called module answers synchronously, as for nearly all requests. */
  authorize(request: Attributes): Authorization | Promise<Authorization>;
  /** The rules of a user in a namespace, by module. */
  rules(user: UserInfo, namespace: string): readonly RuleSummary[];
}

export function authorizationChain(modules: readonly Authorizer[]): AuthorizationChain {
  return {
    modules,
    authorize: (request) => ask(modules, request, 0, []),
    rules: (user, namespace) => modules.flatMap((module) => module.rules?.(user, namespace) ?? []),
  };
}

type ModuleVerdicts = { readonly module: string; readonly verdict: Verdict }[];

function ask(
  modules: readonly Authorizer[],
  request: Attributes,
  from: number,
  asked: ModuleVerdicts,
): Authorization | Promise<Authorization> {
  for (let i = from; i < modules.length; i++) {
    const module = modules[i] as Authorizer;
    const verdict = askOne(module, request);
    if (verdict instanceof Promise)
      return verdict.then((settled) => note(module, settled, asked) ?? ask(modules, request, i + 1, asked));
    const decided = note(module, verdict, asked);
    if (decided) return decided;
  }
  return conclude(asked);
}

/** A failed module has no opinion: others may still allow. */
function askOne(module: Authorizer, request: Attributes): Verdict | Promise<Verdict> {
  try {
    const verdict = module.authorize(request);
    return verdict instanceof Promise ? verdict.catch(failed) : verdict;
  } catch (problem) {
    return failed(problem);
  }
}

const failed = (problem: unknown): Verdict => ({
  decision: 'no-opinion',
  reason: '',
  error: problem instanceof Error ? problem.message : String(problem),
});

/** The decision, if this verdict decides. */
function note(module: Authorizer, verdict: Verdict, asked: ModuleVerdicts): Authorization | undefined {
  asked.push({ module: module.name, verdict });
  if (verdict.decision === 'no-opinion') return undefined;
  return {
    decision: verdict.decision,
    reason: verdict.reason,
    ...(verdict.error === undefined ? {} : { error: verdict.error }),
    verdicts: asked,
  };
}

/** No module decided: denied by default, with all reasons. */
function conclude(asked: ModuleVerdicts): Authorization {
  const reasons = asked.map(({ verdict }) => verdict.reason).filter((reason) => reason !== '');
  // RBAC's errors are part of its reason; only failures of modules are evaluation errors.
  const errors = asked.flatMap(({ verdict }) =>
    verdict.error !== undefined && !verdict.reason.includes(verdict.error) ? [verdict.error] : [],
  );
  return {
    decision: 'no-opinion',
    reason: reasons.join('\n'),
    ...(errors.length > 0 ? { error: errors.length === 1 ? String(errors[0]) : `[${errors.join(', ')}]` } : {}),
    verdicts: asked,
  };
}
