/**
 * Validation of events. The newer group is strict about new events and the metadata of changed ones; the older versions
 * accept what they always accepted.
 */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { complaints, type Errors } from '../meta/checks.ts';
import { standardFinalizers, validateObjectMeta } from '../meta/objectMeta.rules.ts';
import { checkQualifiedName, checkSubdomain } from '../values/names.ts';
import type { Event } from './event.ts';

const MAX_TEXT = 128;
const MAX_NOTE = 1024;

/** Requests through `events/v1` and what comes after it. */
const isStrict = ({ requested }: RuleContext): boolean => requested.group !== '' && requested.version !== 'v1beta1';

function* validate(event: Event, context: RuleContext): Errors {
  const { namespace = '' } = event.metadata;
  yield* event.eventTime === null ? validateOldNamespace(event) : validateNew(event, context);
  yield* complaints(Path.of('namespace'), namespace, checkSubdomain(namespace));
}

const MISMATCH = 'does not match event.namespace';
const INVOLVED = Path.of('involvedObject', 'namespace');

/** An event is in the namespace of what it is about; about cluster-scoped objects, in `default`. */
function* validateOldNamespace({ metadata, involvedObject }: Event): Errors {
  const { namespace: about = '' } = involvedObject;
  const fits = about === '' ? ['', 'default'].includes(metadata.namespace ?? '') : about === metadata.namespace;
  if (!fits) yield field.invalid(INVOLVED, about, MISMATCH);
}

function* validateNew(event: Event, { names }: RuleContext): Errors {
  const { metadata, involvedObject, reportingComponent: reporter, message = '' } = event;
  if (!involvedObject.namespace && metadata.namespace !== 'default' && metadata.namespace !== names.systemNamespace)
    yield field.invalid(INVOLVED, '', MISMATCH);
  if (reporter === '') yield field.required('reportingController');
  yield* complaints(Path.of('reportingController'), reporter, checkQualifiedName(reporter));
  for (const name of ['reportingInstance', 'action', 'reason'] as const) {
    const text = event[name] ?? '';
    if (text === '') yield field.required(name);
    if (text.length > MAX_TEXT) yield field.invalid(name, '', `can have at most ${MAX_TEXT} characters`);
  }
  if (message.length > MAX_NOTE) yield field.invalid('message', '', `can have at most ${MAX_NOTE} characters`);
}

function* validateMetadata({ metadata }: Event, { names }: RuleContext): Errors {
  yield* validateObjectMeta(metadata, { namespaced: true, name: 'subdomain', finalizers: standardFinalizers(names) });
}

function* validateStrict(event: Event, context: RuleContext): Errors {
  yield* validateMetadata(event, context);
  yield* validateSeries(event);
  if (event.eventTime === null) yield field.required('eventTime');
  if (event.type !== 'Normal' && event.type !== 'Warning')
    yield field.invalid('type', '', `has invalid value: ${event.type ?? ''}`);
  const unset = 'needs to be unset';
  if (event.firstTimestamp !== null) yield field.invalid('firstTimestamp', '', unset);
  if (event.lastTimestamp !== null) yield field.invalid('lastTimestamp', '', unset);
  if (event.count) yield field.invalid('count', '', unset);
  if (event.source.component || event.source.host) yield field.invalid('source', '', unset);
}

function* validateSeries({ series }: Event): Errors {
  if (!series) return;
  if ((series.count ?? 0) < 2) yield field.invalid('series.count', '', 'should be at least 2');
  if (series.lastObservedTime === null) yield field.required('series.lastObservedTime');
}

export const eventRules: Rules<Event> = {
  createOnUpdate: 'object',
  dependents: 'unsupported',
  anyMetadata: true,
  validate: (event, context) => [...validate(event, context)],
  validateCreate: (event, context) => (isStrict(context) ? [...validateStrict(event, context)] : []),
  validateUpdate: (event, _old, context) => (isStrict(context) ? [...validateMetadata(event, context)] : []),
};
