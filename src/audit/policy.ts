/** The audit policy: the rule that matches a request, and its level (specification, Events 4 and 6). */
import type { UserInfo } from '../authn/index.ts';
import type { Names } from '../names/index.ts';
import { isObject, yaml, getOwn } from '../std/index.ts';
import { levels, stages, type Judgement, type Level, type Stage } from './levels.ts';

/** The properties of a request that a policy can match. */
export interface Subject {
  /** Missing if authentication failed. */
  readonly user?: UserInfo | undefined;
  readonly verb: string;
  readonly isResource: boolean;
  readonly path: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface Policy {
  readonly rules: readonly Rule[];
  readonly omitStages: readonly Stage[];
}

interface Rule {
  readonly level: Level;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly GroupResources[];
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly omitStages: readonly Stage[];
}

interface GroupResources {
  readonly group: string;
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

/** An invalid policy file; the server does not start with it. */
export class PolicyError extends Error {
  override name = 'PolicyError';
}

/** The first matching rule decides; a request without one is not recorded. */
export function judge(policy: Policy, subject: Subject): Judgement {
  const rule = policy.rules.find((one) => matches(one, subject));
  return { level: rule?.level ?? 'None', omitStages: new Set([...policy.omitStages, ...(rule?.omitStages ?? [])]) };
}

function matches(rule: Rule, subject: Subject): boolean {
  const { user, verb } = subject;
  if (rule.users.length > 0 && !(user && rule.users.includes(user.name))) return false;
  if (rule.userGroups.length > 0 && !user?.groups.some((group) => rule.userGroups.includes(group))) return false;
  if (rule.verbs.length > 0 && !rule.verbs.includes(verb)) return false;
  if (rule.namespaces.length > 0 || rule.resources.length > 0) return matchesResource(rule, subject);
  if (rule.nonResourceURLs.length > 0)
    return !subject.isResource && rule.nonResourceURLs.some((pattern) => matchesPath(pattern, subject.path));
  return true;
}

/** Cluster-scoped objects have an empty namespace. */
function matchesResource({ namespaces, resources }: Rule, subject: Subject): boolean {
  if (!subject.isResource) return false;
  if (namespaces.length > 0 && !namespaces.includes(subject.namespace)) return false;
  return resources.length === 0 || resources.some((one) => isAmong(one, subject));
}

function isAmong({ group, resources, resourceNames }: GroupResources, subject: Subject): boolean {
  if (group !== subject.group) return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(subject.name)) return false;
  const { resource, subresource } = subject;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  const patterns = [whole, '*', `${resource}/*`, ...(subresource === '' ? [] : [`*/${subresource}`])];
  return resources.some((pattern) => patterns.includes(pattern));
}

function matchesPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

/** Parses a policy file (YAML or JSON). Throws PolicyError with the location of the error. */
export function parsePolicy(text: string, names: Names): Policy {
  const file = parsed(text);
  const { apiVersion, kind, rules } = file;
  const group = names.fill('audit.{domain}');
  if (kind !== 'Policy' || !['v1', 'v1beta1', 'v1alpha1'].some((version) => apiVersion === `${group}/${version}`))
    throw new PolicyError(
      `want apiVersion ${group}/v1 and kind Policy, got ${JSON.stringify(apiVersion)} and ${JSON.stringify(kind)}`,
    );
  if (!Array.isArray(rules) || rules.length === 0) throw new PolicyError('rules: there is none');
  return { rules: rules.map(readRule), omitStages: readStages(file['omitStages'], 'omitStages') };
}

function parsed(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = yaml().parse(text);
  } catch (problem) {
    throw new PolicyError(problem instanceof Error ? problem.message : String(problem));
  }
  if (!isObject(value)) throw new PolicyError('not an object');
  return value;
}

function readRule(value: unknown, index: number): Rule {
  const at = `rules[${index}]`;
  if (!isObject(value)) throw new PolicyError(`${at}: not an object`);
  const { level, resources } = value;
  if (!levels.includes(level as Level))
    throw new PolicyError(`${at}.level: ${JSON.stringify(level)} is none of ${levels.join(', ')}`);
  const list = (name: string): readonly string[] => readStrings(getOwn(value, name), `${at}.${name}`);
  const rule: Rule = {
    level: level as Level,
    users: list('users'),
    userGroups: list('userGroups'),
    verbs: list('verbs'),
    resources: readList(resources, `${at}.resources`).map((one, i) => readResources(one, `${at}.resources[${i}]`)),
    namespaces: list('namespaces'),
    nonResourceURLs: list('nonResourceURLs'),
    omitStages: readStages(value['omitStages'], `${at}.omitStages`),
  };
  checkPaths(rule, at);
  return rule;
}

function checkPaths({ nonResourceURLs, resources, namespaces }: Rule, at: string): void {
  if (nonResourceURLs.length === 0) return;
  if (resources.length > 0 || namespaces.length > 0)
    throw new PolicyError(`${at}: a rule is about resources or about paths, not both`);
  for (const pattern of nonResourceURLs) {
    const star = pattern.indexOf('*');
    if (pattern !== '*' && !pattern.startsWith('/'))
      throw new PolicyError(`${at}.nonResourceURLs: ${JSON.stringify(pattern)} must start with "/" or be "*"`);
    if (star >= 0 && star !== pattern.length - 1)
      throw new PolicyError(`${at}.nonResourceURLs: ${JSON.stringify(pattern)} may have "*" only at its end`);
  }
}

function readResources(value: unknown, at: string): GroupResources {
  if (!isObject(value)) throw new PolicyError(`${at}: not an object`);
  const group = value['group'] ?? '';
  if (typeof group !== 'string' || group.includes('/'))
    throw new PolicyError(`${at}.group: must be the name of a group, without a version`);
  const resources = readStrings(value['resources'], `${at}.resources`);
  const resourceNames = readStrings(value['resourceNames'], `${at}.resourceNames`);
  if (resourceNames.length > 0 && resources.length === 0)
    throw new PolicyError(`${at}.resourceNames: names need the resources that bear them`);
  return { group, resources, resourceNames };
}

function readStages(value: unknown, at: string): readonly Stage[] {
  return readStrings(value, at).map((name) => {
    const stage = stages.find((one) => one === name);
    if (!stage) throw new PolicyError(`${at}: ${JSON.stringify(name)} is none of ${stages.join(', ')}`);
    return stage;
  });
}

function readStrings(value: unknown, at: string): readonly string[] {
  return readList(value, at).map((one) => {
    if (typeof one !== 'string') throw new PolicyError(`${at}: ${JSON.stringify(one)} is no string`);
    return one;
  });
}

function readList(value: unknown, at: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new PolicyError(`${at}: not a list`);
  return value;
}
