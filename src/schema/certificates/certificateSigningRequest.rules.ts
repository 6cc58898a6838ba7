/** Signing requests: who sends one is written by the server, its spec never changes, and each subresource writes its own part. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { FieldErrors } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { clone, rfc3339 } from '../../std/index.ts';
import { complaints, sameValue, type Errors } from '../meta/checks.ts';
import { standardFinalizers, validateObjectMeta } from '../meta/objectMeta.rules.ts';
import { checkLabel, checkSubdomain } from '../values/names.ts';
import { certificateProblem } from './issuedCertificate.ts';
import type { CertificateSigningRequest, CertificateSigningRequestCondition } from './certificateSigningRequest.ts';
import { parseSigningRequest } from './pkcs10.ts';
import { USAGES } from './usages.ts';

type Request = CertificateSigningRequest;
type Conditions = readonly CertificateSigningRequestCondition[];

const SPEC = Path.of('spec');
const CONDITIONS = Path.of('status', 'conditions');
const CERTIFICATE = Path.of('status', 'certificate');
const LONGEST_SIGNER_NAME = 571;

const conditionsOf = (request: Request | undefined): Conditions => request?.status?.conditions ?? [];
const ofType = (request: Request | undefined, type: string): Conditions =>
  conditionsOf(request).filter((condition) => condition.type === type);
const repeats = (items: readonly string[]): boolean => new Set(items).size < items.length;

/** Tolerated violations: v1beta1 was less strict, and stored objects have to stay writable. */
interface Tolerated {
  readonly legacySigner: boolean;
  readonly unknownUsages: boolean;
  readonly duplicateUsages: boolean;
  readonly bothDecisions: boolean;
  readonly duplicateConditions: boolean;
  readonly emptyConditions: boolean;
  readonly anyCertificate: boolean;
  readonly newCertificate: boolean;
}

function tolerated(request: Request, old: Request | undefined, { requested, names }: RuleContext): Tolerated {
  const loose = requested.version === 'v1beta1';
  const oldUsages = old?.spec.usages ?? [];
  const oldTypes = conditionsOf(old).map(({ type }) => type);
  const oldCertificate = old?.status?.certificate ?? '';
  return {
    legacySigner: loose || old?.spec.signerName === names.fill('{label}/legacy-unknown'),
    unknownUsages: loose || oldUsages.some((usage) => !USAGES.includes(usage)),
    duplicateUsages: loose || repeats(oldUsages),
    bothDecisions: oldTypes.includes('Approved') && oldTypes.includes('Denied'),
    duplicateConditions: loose || repeats(oldTypes),
    emptyConditions: loose || oldTypes.includes(''),
    anyCertificate:
      loose ||
      (old !== undefined &&
        (oldCertificate === (request.status?.certificate ?? '') || certificateProblem(oldCertificate) !== undefined)),
    newCertificate: loose,
  };
}

function* check(request: Request, old: Request | undefined, context: RuleContext): Errors {
  const allow = tolerated(request, old, context);
  if (!parseSigningRequest(request.spec.request ?? ''))
    yield field.invalid(
      SPEC.child('request'),
      request.spec.request ?? '',
      'PEM block type must be CERTIFICATE REQUEST',
    );
  yield* checkUsages(request.spec.usages ?? [], allow);
  yield* checkSigner(request.spec.signerName, allow, context);
  yield* checkConditions(conditionsOf(request), allow);
  const problem = allow.anyCertificate ? undefined : certificateProblem(request.status?.certificate ?? '');
  if (problem !== undefined) yield field.invalid(CERTIFICATE, '<certificate data>', problem);
}

function* checkUsages(usages: readonly string[], allow: Tolerated): Errors {
  const path = SPEC.child('usages');
  if (usages.length === 0) yield field.required(path, 'usages must be provided');
  for (const [i, usage] of usages.entries()) {
    if (!allow.unknownUsages && !USAGES.includes(usage))
      yield field.notSupported(path.index(i), usage, [...USAGES].sort());
  }
  for (const [i, usage] of usages.entries()) {
    if (!allow.duplicateUsages && usages.indexOf(usage) < i) yield field.duplicate(path.index(i), usage);
  }
}

function* checkSigner(signer: string, allow: Tolerated, { names }: RuleContext): Errors {
  const path = SPEC.child('signerName');
  if (!allow.legacySigner && signer === names.fill('{label}/legacy-unknown'))
    yield field.invalid(path, signer, 'the legacy signerName is not allowed via this API version');
  else yield* checkSignerName(signer, path);
}

/** A domain of at least two labels, a slash, and one or more subdomains. */
function* checkSignerName(signer: string, path: Path): Errors {
  if (signer === '') return yield field.required(path, 'signerName must be provided');
  const [domain = '', name = '', ...rest] = signer.split('/');
  if (rest.length > 0 || !signer.includes('/')) {
    return yield field.invalid(
      path,
      signer,
      "must be a fully qualified domain and path of the form 'example.com/signer-name'",
    );
  }
  if (domain.length > 253) yield field.tooLong(path, domain, 253);
  const labels = domain.split('.');
  yield* firstComplaint(labels, domain, path, checkLabel);
  if (labels.length < 2)
    yield field.invalid(path, domain, 'should be a domain with at least two segments separated by dots');
  yield* firstComplaint(name.split('.'), name, path, checkSubdomain);
  if (signer.length > LONGEST_SIGNER_NAME) yield field.tooLong(path, signer, LONGEST_SIGNER_NAME);
}

/** What is wrong with the first label that is not right; more would only repeat it. */
function firstComplaint(
  labels: readonly string[],
  whole: string,
  path: Path,
  checkOne: (label: string) => readonly string[],
): FieldErrors {
  const wrong = labels.find((label) => checkOne(label).length > 0);
  return wrong === undefined
    ? []
    : complaints(
        path,
        whole,
        checkOne(wrong).map((message) => `validating label ${JSON.stringify(wrong)}: ${message}`),
      );
}

const DECISIONS = ['Approved', 'Denied'];
const ONLY_TRUE = [...DECISIONS, 'Failed'];

function* checkConditions(conditions: Conditions, allow: Tolerated): Errors {
  const seen = new Set<string>();
  for (const [i, condition] of conditions.entries()) {
    const { type } = condition;
    const path = CONDITIONS.index(i);
    if (!allow.emptyConditions && type === '') yield field.required(path.child('type'));
    yield* checkConditionStatus(condition, path.child('status'));
    const other = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined;
    if (!allow.bothDecisions && other !== undefined && seen.has(other))
      yield field.invalid(path.child('type'), type, 'Approved and Denied conditions are mutually exclusive');
    if (!allow.duplicateConditions && seen.has(type)) yield field.duplicate(path.child('type'), type);
    seen.add(type);
  }
}

function* checkConditionStatus({ type, status }: CertificateSigningRequestCondition, path: Path): Errors {
  const values = ONLY_TRUE.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
  if (status === '') yield field.required(path);
  else if (!values.includes(status)) yield field.notSupported(path, status, values);
}

/** Validates an update; `writes` is the part that the request may change. */
function* checkChange(
  request: Request,
  old: Request,
  context: RuleContext,
  writes: 'nothing' | 'decision' | 'certificate',
): Errors {
  for (const type of ONLY_TRUE) {
    if (ofType(request, type).length < ofType(old, type).length)
      yield field.forbidden(CONDITIONS, `updates may not remove a condition of type ${JSON.stringify(type)}`);
  }
  for (const type of writes === 'decision' ? [] : DECISIONS) {
    const [before, after] = [ofType(old, type), ofType(request, type)];
    if (after.length > before.length)
      yield field.forbidden(CONDITIONS, `updates may not add a condition of type ${JSON.stringify(type)}`);
    else if (after.length === before.length && !sameValue(after, before))
      yield field.forbidden(CONDITIONS, `updates may not modify a condition of type ${JSON.stringify(type)}`);
  }
  const [before, after] = [old.status?.certificate ?? '', request.status?.certificate ?? ''];
  if (before === after) return;
  if (writes !== 'certificate') yield field.forbidden(CERTIFICATE, 'updates may not set certificate content');
  else if (before !== '' && !tolerated(request, old, context).newCertificate)
    yield field.forbidden(CERTIFICATE, 'updates may not modify existing certificate content');
}

const validateAs =
  (writes: Parameters<typeof checkChange>[3]) =>
  (request: Request, old: Request, context: RuleContext): FieldErrors => [
    ...validateObjectMeta(request.metadata, {
      namespaced: false,
      name: () => [],
      finalizers: standardFinalizers(context.names),
    }),
    ...check(request, old, context),
    ...checkChange(request, old, context, writes),
  ];

/** Records the requester; a create can't contain a decision or a certificate. */
function prepareCreate(request: Request, { user }: RuleContext): void {
  const { request: pem, signerName, usages } = request.spec;
  const { name, uid, groups, extra } = user;
  request.spec = {
    request: pem,
    ...(Object.keys(extra).length > 0 ? { extra: clone(extra) as Record<string, string[]> } : {}),
    signerName,
    ...(usages ? { usages } : {}),
    username: name,
    ...(uid ? { uid } : {}),
    groups: [...groups],
  } as Request['spec'];
  request.status = {};
}

function keepSpec(request: Request, old: Request): void {
  request.spec = clone(old.spec);
}

/** Sets missing times: to now, or to those of an equal existing condition. */
function fillTimes(request: Request, old: Request, { now }: RuleContext): void {
  for (const condition of request.status?.conditions ?? []) {
    condition.lastUpdateTime ||= rfc3339(now);
    const known = conditionsOf(old).find(
      ({ type, status, lastTransitionTime }) =>
        type === condition.type && status === condition.status && lastTransitionTime,
    );
    condition.lastTransitionTime ||= known?.lastTransitionTime ?? rfc3339(now);
  }
}

/** Decisions can't be changed here: existing ones are kept. Returns false if one was added or removed. */
function keepDecisions(request: Request, old: Request): boolean {
  const conditions = request.status?.conditions ?? [];
  return DECISIONS.map((type) => {
    const before = ofType(old, type);
    const places = conditions.flatMap((condition, i) => (condition.type === type ? [i] : []));
    if (places.length !== before.length) return false;
    for (const [n, place] of places.entries())
      conditions[place] = clone(before[n] as CertificateSigningRequestCondition);
    return true;
  }).every(Boolean);
}

function prepareStatusUpdate(request: Request, old: Request, context: RuleContext): void {
  keepSpec(request, old);
  const kept = keepDecisions(request, old);
  // Writers through v1beta1 used to send decisions back as they had read them, and never had any say in conditions then.
  if (!kept && context.requested.version === 'v1beta1') {
    const { conditions: _sent, ...status } = request.status ?? {};
    request.status = { ...status, ...(old.status?.conditions ? { conditions: clone(old.status.conditions) } : {}) };
  }
  fillTimes(request, old, context);
}

export const certificateSigningRequestRules: Rules<Request> = {
  emptyBytesCount: 'status',
  name: () => [],
  prepareCreate,
  prepareUpdate: (request, old) => {
    keepSpec(request, old);
    request.status = clone(old.status ?? {});
  },
  validate: (request, context) => [...check(request, undefined, context)],
  updateChecks: ['change', 'metadata'],
  validateUpdate: validateAs('nothing'),
  prepareStatusUpdate,
  validateStatusUpdate: validateAs('certificate'),
  views: {
    approval: {
      prepare: (request, old, context) => {
        keepSpec(request, old);
        const { conditions } = request.status ?? {};
        request.status = {
          ...(conditions ? { conditions } : {}),
          ...(old.status?.certificate ? { certificate: old.status.certificate } : {}),
        };
        fillTimes(request, old, context);
      },
      validate: validateAs('decision'),
    },
  },
};
