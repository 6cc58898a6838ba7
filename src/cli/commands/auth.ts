/** `auth`: asks what a user may do, and reconciles roles and bindings. */
import { StatusError, type objects } from '../../schema/index.ts';
import { goText } from '../../std/index.ts';
import { command, group, type Call } from '../command/command.ts';
import { CommandError, complaint } from '../command/errors.ts';
import { text, toggle } from '../command/flags.ts';
import { subjectOf } from '../kubeconfig/subject.ts';
import { Columns } from '../output/columns.ts';
import { rulesByResource, ruleTarget } from '../output/policyRules.ts';
import { findResource } from '../server/served.ts';
import { reconcile } from './reconcile.ts';
import { whoCan } from './whoCan.ts';

const REVIEWS = '/apis/authorization.{domain}/v1';

const canIFlags = {
  'all-namespaces': toggle({ short: 'A' }),
  list: toggle(),
  'no-headers': toggle(),
  quiet: toggle({ short: 'q' }),
  subresource: text(),
};

type CanICall = Call<typeof canIFlags>;

const canI = command({
  name: 'can-i',
  flags: canIFlags,
  run: async (call) => {
    const { flags: given, args } = call;
    if (given.list) {
      if (args.length > 0) throw complaint('list option must be specified with no arguments');
      if (given.quiet || given['all-namespaces'] || given.subresource !== '')
        throw complaint("list option can't be specified with neither quiet, all-namespaces nor subresource options");
      return listRights(call);
    }
    if (args.length !== 2)
      throw complaint('you must specify two or three arguments: verb, resource, and optional resourceName');
    const spec = await attributesOf(call);
    const answer = (await post(
      call,
      'selfsubjectaccessreviews',
      'SelfSubjectAccessReview',
      spec,
    )) as objects.SelfSubjectAccessReview;
    const { allowed = false, reason = '', evaluationError = '' } = answer.status ?? {};
    const why = `${reason && ` - ${reason}`}${evaluationError && ` - ${evaluationError}`}`;
    if (!given.quiet) call.session.out(allowed ? 'yes\n' : `no${why}\n`);
    if (!allowed) throw new CommandError('', 1);
  },
});

function post({ client }: Call, resource: string, kind: string, spec: unknown): Promise<unknown> {
  const path = client.names.fill(REVIEWS);
  const body = { apiVersion: path.slice('/apis/'.length), kind, metadata: {}, spec };
  return client.json(`${path}/${resource}`, { method: 'POST', body });
}

const VERBS: readonly string[] = [
  ...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  ...['use', 'bind', 'impersonate', '*'],
];
const PATH_VERBS: readonly string[] = ['get', 'put', 'post', 'head', 'options', 'delete', 'patch', '*'];

/** Roles may name any verb, but the server asks only for these. */
function warnOfVerb({ err }: CanICall['session'], verb: string, known: readonly string[]): void {
  if (!known.includes(verb)) err(`Warning: verb '${verb}' is not a known verb\n`);
}

/** What is asked for, as the server's reviews have it. */
async function attributesOf({ args, flags: given, session, client, namespace }: CanICall): Promise<unknown> {
  const [verb = '', word = ''] = args;
  if (word.startsWith('/')) {
    if (given.subresource !== '') throw complaint('--subresource can not be used with NonResourceURL');
    warnOfVerb(session, verb, PATH_VERBS);
    return { nonResourceAttributes: { path: word, verb } };
  }
  const [type = '', slashed = ''] = word.split('/');
  const everything = type === '*';
  const found = everything
    ? undefined
    : await findResource(session, client, type).catch((error: unknown) => {
        if (error instanceof StatusError) throw error;
        session.err(`Warning: the server doesn't have a resource type '${type}'\n`);
        return undefined;
      });
  const cluster = found && !found.namespaced;
  if (cluster && !given['all-namespaces'])
    session.err(
      `Warning: resource '${found.resource}' is not namespace scoped${found.group === '' ? '' : ` in group '${found.group}'`}\n`,
    );
  if (!given['all-namespaces']) warnOfVerb(session, verb, VERBS);
  const [plain = '', ...groups] = type.split('.');
  return {
    resourceAttributes: {
      namespace: given['all-namespaces'] ? '' : namespace,
      verb,
      group: found?.group ?? groups.join('.'),
      resource: found?.resource ?? plain,
      ...(given.subresource !== '' && { subresource: given.subresource }),
      name: slashed,
    },
  };
}

async function listRights(call: CanICall): Promise<void> {
  const answer = (await post(call, 'selfsubjectrulesreviews', 'SelfSubjectRulesReview', {
    namespace: call.namespace,
  })) as objects.SelfSubjectRulesReview;
  const { resourceRules = [], nonResourceRules = [], incomplete, evaluationError } = answer.status ?? {};
  const rules = [
    ...(resourceRules ?? []),
    ...(nonResourceRules ?? []).map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
  ];
  if (incomplete)
    call.session.err(`warning: the list may be incomplete${evaluationError ? `: ${evaluationError}` : ''}\n`);
  const rows = rulesByResource(rules).map((rule) => [
    ruleTarget(rule),
    ...[goText(rule.nonResourceURLs), goText(rule.resourceNames), goText(rule.verbs)],
  ]);
  const head = ['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'];
  call.session.out(new Columns().lines(call.flags['no-headers'] ? rows : [head, ...rows]));
}

const whoAmI = command({
  name: 'whoami',
  summary: 'Tell as whom commands ask',
  flags: {},
  run: async ({ flags: given, session, user: known }) => {
    const user = given.as || (given.token === '' ? known : subjectOf(given.token)) || 'unknown';
    session.out(
      new Columns().lines([
        ['ATTRIBUTE', 'VALUE'],
        ['Username', user],
      ]),
    );
  },
});

export const auth = group({
  name: 'auth',
  aliases: [],
  subcommands: [canI, reconcile, whoAmI, whoCan],
});
