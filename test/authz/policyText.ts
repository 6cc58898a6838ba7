/** The default policy as text: an object a paragraph, a rule or a subject a line. */
import type { defaultPolicy } from '../../src/authz/index.ts';
import type { PolicyRule, Subject } from '../../src/authz/index.ts';

type Policy = ReturnType<typeof defaultPolicy>;

export function policyText({ roles, bindings }: Policy): string {
  const paragraphs = [
    ...roles.map((role) => [
      headline(role),
      ...(role.aggregationRule?.clusterRoleSelectors ?? []).map((selector) => `gathers ${pairs(selector.matchLabels)}`),
      ...(role.rules ?? []).map(ruleLine),
    ]),
    ...bindings.map((binding) => [
      headline(binding),
      `grants ${binding.roleRef.kind} ${binding.roleRef.name}`,
      ...(binding.subjects ?? []).map(subjectLine),
    ]),
  ];
  return `${paragraphs.map(([first, ...rest]) => [first, ...rest.map((line) => `  ${line}`)].join('\n')).join('\n\n')}\n`;
}

function headline({ kind, metadata }: Policy['roles'][number] | Policy['bindings'][number]): string {
  const { name, namespace, labels, annotations } = metadata;
  const where = namespace === undefined ? '' : ` in ${namespace}`;
  return `${kind} ${name}${where} (${pairs(labels)}; ${pairs(annotations)})`;
}

const pairs = (map: Readonly<Record<string, string>>): string =>
  Object.entries(map)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');

const list = (items: readonly string[] = []): string => items.map((item) => (item === '' ? '""' : item)).join(',');

function ruleLine({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  if (nonResourceURLs) return `${list(verbs)} paths ${list(nonResourceURLs)}`;
  return `${list(verbs)} ${list(resources)} of ${list(apiGroups)}${resourceNames ? ` named ${list(resourceNames)}` : ''}`;
}

const subjectLine = ({ kind, name, namespace }: Subject): string =>
  `to ${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
