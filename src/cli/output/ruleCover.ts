/** Which rules grant what others grant. */
import type { objects } from '../../schema/index.ts';

type Rule = objects.PolicyRule;

/** What `wanted` grants and `rules` don't, as rules of one verb on one thing. */
export const missingRules = (rules: readonly Rule[], wanted: readonly Rule[]): readonly Rule[] =>
  wanted.flatMap(singleRules).filter((single) => !rules.some((rule) => covers(rule, single)));

function singleRules(rule: Rule): readonly Rule[] {
  const verbs = rule.verbs ?? [];
  const names = rule.resourceNames?.length ? rule.resourceNames.map((name) => ({ resourceNames: [name] })) : [{}];
  return [
    ...(rule.apiGroups ?? []).flatMap((group) =>
      (rule.resources ?? []).flatMap((resource) =>
        verbs.flatMap((verb) =>
          names.map((named) => ({ verbs: [verb], apiGroups: [group], resources: [resource], ...named })),
        ),
      ),
    ),
    ...(rule.nonResourceURLs ?? []).flatMap((url) => verbs.map((verb) => ({ verbs: [verb], nonResourceURLs: [url] }))),
  ];
}

type List = readonly string[] | null | undefined;

const has = (owned: List, wanted: List, matches = (own: string, one: string): boolean => own === one): boolean =>
  (wanted ?? []).every((one) => owned?.some((own) => own === '*' || matches(own, one)) ?? false);

const covers = (rule: Rule, single: Rule): boolean =>
  has(rule.verbs, single.verbs) &&
  has(rule.apiGroups, single.apiGroups) &&
  has(
    rule.resources,
    single.resources,
    (own, one) => own === one || (own.startsWith('*/') && one.endsWith(own.slice(1))),
  ) &&
  (!rule.resourceNames?.length ||
    ((single.resourceNames?.length ?? 0) > 0 && has(rule.resourceNames, single.resourceNames))) &&
  has(rule.nonResourceURLs, single.nonResourceURLs, (own, one) =>
    own.endsWith('*') ? one.startsWith(own.slice(0, -1)) : own === one,
  );

/** As the reference's client prints a rule. */
export function ruleText({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: Rule): string {
  const list = (items: List): string => `[${(items ?? []).join(' ')}]`;
  return `{Verbs:${list(verbs)} APIGroups:${list(apiGroups)} Resources:${list(resources)} ResourceNames:${list(resourceNames)} NonResourceURLs:${list(nonResourceURLs)}}`;
}
