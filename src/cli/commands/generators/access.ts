/** `create role`, `clusterrole`, `rolebinding`, `clusterrolebinding`. */
import type { Client } from '../../../client/index.ts';
import type { Call } from '../../command/command.ts';
import { CommandError, complaint, describeError } from '../../command/errors.ts';
import { text, texts } from '../../command/flags.ts';
import { findResource } from '../../server/served.ts';
import { subjectFlags, subjectsOf } from '../set/subject.ts';
import { generator } from './generator.ts';
import { labelsOfText } from './selectors.ts';

const ruleFlags = {
  resource: texts({ separator: ',' }),
  'resource-name': texts(),
  verb: texts({ separator: ',' }),
};

const VERBS: readonly string[] = [
  ...['get', 'delete', 'list', 'create', 'update', 'patch', 'watch', 'proxy', 'deletecollection', 'use', 'bind'],
  ...['escalate', 'impersonate', '*'],
];

type RuleCall = Call<typeof ruleFlags>;

function verbsOf({ flags: { verb } }: RuleCall): readonly string[] {
  const verbs = [...new Set(verb.map((each) => each.trim()))];
  return verbs.includes('*') ? ['*'] : verbs;
}

/** A rule for each API group. */
async function resourceRules(call: RuleCall): Promise<readonly unknown[]> {
  const verbs = verbsOf(call);
  for (const verb of call.flags.resource.length > 0 ? verbs : [])
    if (!VERBS.includes(verb)) call.session.err(`Warning: '${verb}' is not a standard resource verb\n`);
  const byGroup = new Map<string, Set<string>>();
  for (const typed of call.flags.resource) {
    const [name = '', ...below] = typed.split('/');
    const { group, resource } = await resourceOf(call, name);
    const all = byGroup.get(group) ?? new Set<string>();
    byGroup.set(group, all.add([resource, ...below].join('/')));
  }
  const names = call.flags['resource-name'];
  return [...byGroup]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, resources]) => ({
      ...{ apiGroups: [group], resources: [...resources], verbs },
      ...(names.length > 0 ? { resourceNames: [...new Set(names)] } : {}),
    }));
}

async function resourceOf(
  { session, client }: RuleCall,
  name: string,
): Promise<{ readonly group: string; readonly resource: string }> {
  if (name === '*') return { group: '*', resource: '*' };
  if (name.startsWith('*.')) return { group: name.slice(2), resource: '*' };
  try {
    return await findResource(session, client, name);
  } catch (error) {
    const [, ...group] = name.split('.');
    const where = group.length > 0 ? ` in group ${JSON.stringify(group.join('.'))}` : '';
    throw new CommandError(describeError(error).replace(/^error: /, '') + where);
  }
}

export const role = generator({
  ...{ name: 'role', flags: ruleFlags },
  makes: 'roles.rbac.authorization.{domain}',
  make: async (call) => {
    if (call.flags.verb.length === 0) throw complaint('at least one verb must be specified');
    if (call.flags.resource.length === 0) throw complaint('at least one resource must be specified');
    return { rules: await resourceRules(call) };
  },
});

const URL_VERBS: readonly string[] = ['get', 'put', 'post', 'head', 'options', 'delete', 'patch', '*'];

/** Throws CommandError for what is no path of the server, with at most a `*` at its end. */
function checkUrl(url: string): void {
  if (url === '*') return;
  if (url === '' || !url.startsWith('/')) throw complaint('nonResourceURL should start with /');
  if (url.slice(0, -1).includes('*'))
    throw complaint("nonResourceURL only supports wildcard matches when '*' is at the end");
}

export const clusterRole = generator({
  name: 'clusterrole',
  flags: {
    ...ruleFlags,
    'aggregation-rule': texts({ separator: ',' }),
    'non-resource-url': texts({ separator: ',' }),
  },
  makes: 'clusterroles.rbac.authorization.{domain}',
  make: async (call) => {
    const { 'aggregation-rule': aggregation, 'non-resource-url': urls, resource, verb } = call.flags;
    if (aggregation.length > 0) {
      if (urls.length + resource.length + verb.length > 0)
        throw complaint(
          'aggregation rule must be specified without nonResourceURLs, verbs, resources or resourceNames',
        );
      const clusterRoleSelectors = [{ matchLabels: labelsOfText(aggregation.join(',')) }];
      return { aggregationRule: { clusterRoleSelectors }, rules: null };
    }
    if (verb.length === 0) throw complaint('at least one verb must be specified');
    if (urls.length + resource.length === 0) throw complaint('one of resource or nonResourceURL must be specified');
    for (const url of urls) checkUrl(url);
    const wrong = urls.length > 0 ? verbsOf(call).find((each) => !URL_VERBS.includes(each)) : undefined;
    if (wrong !== undefined) throw complaint(`invalid verb: '${wrong}' for nonResourceURL`);
    const urlRules = urls.length > 0 ? [{ nonResourceURLs: urls, verbs: verbsOf(call) }] : [];
    return { rules: [...(await resourceRules(call)), ...urlRules] };
  },
});

const roleRef = ({ names }: Client, kind: 'Role' | 'ClusterRole', name: string): unknown => ({
  ...{ apiGroup: names.fill('rbac.authorization.{domain}'), kind, name },
});

const subjectsIn = (call: Call<typeof subjectFlags>): { readonly subjects?: unknown } => {
  const subjects = subjectsOf(call.client, call.flags);
  return subjects.length > 0 ? { subjects } : {};
};

export const roleBinding = generator({
  name: 'rolebinding',
  flags: {
    ...subjectFlags,
    clusterrole: text(),
    role: text(),
  },
  makes: 'rolebindings.rbac.authorization.{domain}',
  make: (call) => {
    const { clusterrole, role: own } = call.flags;
    if ((clusterrole === '') === (own === '')) throw complaint('exactly one of clusterrole or role must be specified');
    const ref = own === '' ? roleRef(call.client, 'ClusterRole', clusterrole) : roleRef(call.client, 'Role', own);
    return { roleRef: ref, ...subjectsIn(call) };
  },
});

export const clusterRoleBinding = generator({
  name: 'clusterrolebinding',
  flags: { ...subjectFlags, clusterrole: text() },
  required: ['clusterrole'],
  makes: 'clusterrolebindings.rbac.authorization.{domain}',
  make: (call) => ({ roleRef: roleRef(call.client, 'ClusterRole', call.flags.clusterrole), ...subjectsIn(call) }),
});
