/** Access reviews: questions to the authorizers, answered and not stored (specification, Authorization 9). */
import type { UserInfo } from '../../../authn/index.ts';
import type { Attributes, RuleSummary } from '../../../authz/index.ts';
import { field, Path, status } from '../../../schema/index.ts';
import type { ApiObject, FieldError } from '../../../schema/index.ts';
import { isObject } from '../../../std/index.ts';
import type { ResourceContext } from '../registry.ts';
import type { KindFile } from '../registry.ts';

const GROUP = 'authorization.{domain}';
const spec = Path.of('spec');

export const subjectReviews: KindFile = {
  resource: `subjectaccessreviews.${GROUP}`,
  behaviour: { create: reviewSubject },
};
export const selfReviews: KindFile = {
  resource: `selfsubjectaccessreviews.${GROUP}`,
  behaviour: { create: reviewSelf },
};
export const localReviews: KindFile = {
  resource: `localsubjectaccessreviews.${GROUP}`,
  behaviour: { create: reviewLocal },
};
export const rulesReviews: KindFile = {
  resource: `selfsubjectrulesreviews.${GROUP}`,
  behaviour: { create: reviewRules },
};

type ResourceQuestion = Partial<
  Pick<Attributes, 'namespace' | 'verb' | 'group' | 'version' | 'resource' | 'subresource' | 'name'>
>;

interface Question {
  readonly resourceAttributes?: ResourceQuestion;
  readonly nonResourceAttributes?: Partial<Pick<Attributes, 'path' | 'verb'>>;
}

interface SubjectQuestion extends Question {
  readonly user?: string;
  readonly groups?: readonly string[] | null;
  readonly extra?: UserInfo['extra'];
  readonly uid?: string;
}

async function reviewSubject(review: ApiObject, context: ResourceContext): Promise<ApiObject> {
  const asked = review.spec as SubjectQuestion;
  refuse(context, [...checkSubject(asked), ...checkMetadata(review, [])]);
  return answer(review, asked, userOf(asked), context);
}

async function reviewSelf(review: ApiObject, context: ResourceContext): Promise<ApiObject> {
  const asked = review.spec as Question;
  refuse(context, [...checkQuestion(asked), ...checkMetadata(review, [])]);
  return answer(review, asked, context.user, context);
}

/** Namespaced, so that the right to ask can be granted for each namespace. */
async function reviewLocal(review: ApiObject, context: ResourceContext): Promise<ApiObject> {
  const asked = review.spec as SubjectQuestion;
  const { namespace = '' } = review.metadata;
  const errors = [...checkSubject(asked), ...checkMetadata(review, ['namespace'])];
  const { resourceAttributes, nonResourceAttributes } = asked;
  if (resourceAttributes && (resourceAttributes.namespace ?? '') !== namespace) {
    errors.push(
      field.invalid(
        spec.child('resourceAttributes', 'namespace'),
        resourceAttributes.namespace ?? '',
        'must match metadata.namespace',
      ),
    );
  }
  if (nonResourceAttributes) {
    errors.push(
      field.invalid(spec.child('nonResourceAttributes'), nonResourceAttributes, 'disallowed on this kind of request'),
    );
  }
  refuse(context, errors);
  if (namespace !== context.info.namespace)
    throw status.badRequest(`spec.resourceAttributes.namespace must match namespace: ${context.info.namespace}`);
  return answer(review, asked, userOf(asked), context);
}

function reviewRules(review: ApiObject, context: ResourceContext): Promise<ApiObject> {
  const { namespace = '' } = review.spec as { namespace?: string };
  if (namespace === '') throw status.badRequest('no namespace on request');
  // The answer is a new review without the metadata of the request.
  const { apiVersion = '', kind = '' } = review;
  const rules = joinRules(context.server.rulesFor(context.user, namespace));
  return Promise.resolve({ apiVersion, kind, metadata: { creationTimestamp: null }, spec: {}, status: rules });
}

/** The rules of each module, one after another; incomplete if one module can't list all. */
function joinRules(summaries: readonly RuleSummary[]): object {
  const errors = summaries.flatMap(({ error }) => error ?? []);
  return {
    resourceRules: summaries.flatMap(({ resourceRules }) => resourceRules),
    nonResourceRules: summaries.flatMap(({ nonResourceRules }) => nonResourceRules),
    incomplete: summaries.some(({ incomplete }) => incomplete),
    ...(errors.length === 0 ? {} : { evaluationError: errors.length === 1 ? errors[0] : `[${errors.join(', ')}]` }),
  };
}

async function answer(
  review: ApiObject,
  asked: Question,
  user: UserInfo,
  { server }: ResourceContext,
): Promise<ApiObject> {
  const { decision, reason, error } = await server.authorize(attributesOf(asked, user));
  review.status = {
    allowed: decision === 'allow',
    ...(decision === 'deny' ? { denied: true } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(error === undefined ? {} : { evaluationError: error }),
  };
  return review;
}

function userOf({ user, groups, extra, uid }: SubjectQuestion): UserInfo {
  return { name: user ?? '', groups: groups ?? [], extra: extra ?? {}, ...(uid ? { uid } : {}) };
}

function attributesOf(asked: Question, user: UserInfo): Attributes {
  const { resourceAttributes: resource, nonResourceAttributes: path } = asked;
  return {
    user,
    isResource: resource !== undefined,
    verb: resource?.verb ?? path?.verb ?? '',
    path: path?.path ?? '',
    namespace: resource?.namespace ?? '',
    group: resource?.group ?? '',
    version: resource?.version ?? '',
    resource: resource?.resource ?? '',
    subresource: resource?.subresource ?? '',
    name: resource?.name ?? '',
  };
}

function checkSubject(asked: SubjectQuestion): FieldError[] {
  const errors = checkQuestion(asked);
  const named = asked.user || asked.groups?.length;
  if (!named)
    errors.push(field.invalid(spec.child('user'), asked.user ?? '', 'at least one of user or group must be specified'));
  return errors;
}

function checkQuestion({ resourceAttributes, nonResourceAttributes }: Question): FieldError[] {
  if (resourceAttributes && nonResourceAttributes) {
    return [
      field.invalid(
        spec.child('nonResourceAttributes'),
        nonResourceAttributes,
        'cannot be specified in combination with resourceAttributes',
      ),
    ];
  }
  if (resourceAttributes || nonResourceAttributes) return [];
  return [
    field.invalid(
      spec.child('resourceAttributes'),
      null,
      'exactly one of nonResourceAttributes or resourceAttributes must be specified',
    ),
  ];
}

/** A review must not have metadata, except what the server adds. */
function checkMetadata(review: ApiObject, allowed: readonly string[]): FieldError[] {
  const ignored = new Set(['managedFields', ...allowed]);
  const given = Object.entries(review.metadata).filter(([name, value]) => !ignored.has(name) && isPresent(value));
  return given.length === 0
    ? []
    : [
        field.invalid(
          Path.of('metadata'),
          Object.fromEntries(given),
          `must be empty${allowed.length > 0 ? ' except for namespace' : ''}`,
        ),
      ];
}

function isPresent(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value)
    ? Object.keys(value).length > 0
    : value !== undefined && value !== null && value !== '' && value !== 0;
}

/** The reference omits the kind in these refusals. */
function refuse({ server }: ResourceContext, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw status.invalid({ group: server.names.fill(GROUP), kind: '' }, '', errors);
}
