/** Asks the server whether somebody may do something. */
import type { Client } from '../../client/index.ts';
import type { AccessCheck, Verdict } from './lesson.ts';
import { readPath } from './fields.ts';

interface Question {
  readonly verb: string;
  readonly resource: string;
}

const listOf = (one: string | readonly string[]): readonly string[] => (typeof one === 'string' ? [one] : one);

/** Each verb of the check on each of its resources. */
const questionsOf = ({ verb, resource }: AccessCheck): readonly Question[] =>
  listOf(resource).flatMap((each) => listOf(verb).map((what) => ({ verb: what, resource: each })));

async function isAllowed(client: Client, check: AccessCheck, { verb, resource: named }: Question): Promise<boolean> {
  const { user, groups = ['system:authenticated'], subresource, namespace, name } = check;
  const dot = named.indexOf('.');
  const [resource, group] = dot < 0 ? [named, ''] : [named.slice(0, dot), named.slice(dot + 1)];
  const resourceAttributes = {
    ...{ verb, group, resource },
    ...(subresource !== undefined && { subresource }),
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
  };
  const apiVersion = client.names.fill('authorization.{domain}/v1');
  const answer = await client.json(`/apis/${apiVersion}/subjectaccessreviews`, {
    method: 'POST',
    body: { apiVersion, kind: 'SubjectAccessReview', spec: { user, groups, resourceAttributes } },
  });
  return readPath(answer, 'status.allowed') === true;
}

const inWords = (allowed: boolean): string => (allowed ? 'allowed' : 'not allowed');

/** Holds where every answer is the wanted one; otherwise it names the first that is not. */
export async function judgeAccess(client: Client, check: AccessCheck): Promise<Verdict> {
  const questions = questionsOf(check);
  const answers = await Promise.all(questions.map((question) => isAllowed(client, check, question)));
  const wrong = questions.find((_, index) => answers[index] !== check.allowed);
  if (!wrong) return { holds: true, seen: inWords(check.allowed) };
  const what = questions.length > 1 ? `${wrong.verb} ${wrong.resource}: ` : '';
  return { holds: false, seen: `${what}${inWords(!check.allowed)}` };
}
