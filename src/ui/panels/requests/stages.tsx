/** Trace events of a request as a person reads them: what happened at each stage, with what it changed. */
import type { ReactNode } from 'preact/compat';
import { Code, Diff, later, StateMark } from '../../parts/index.ts';
import { asText, asTexts, at } from '../../stores/jsonValues.ts';
import { isAbsence, stateOfAnswer, type State } from '../../theme/states.ts';
import { UserLink } from '../object/UserLink.tsx';
import { toYaml } from '../object/yaml.ts';
import type { OpenedRequest } from '../../stores/requests.ts';
import { IdlePlugins, PluginDetail } from './AdmissionStep.tsx';
import { AuthorizationProof } from './AuthorizationProof.tsx';
import { EditorField } from './EditorField.tsx';
import { Disclosure } from './Disclosure.tsx';
import { stepsOf, type Of, type Step } from './steps.ts';
import { StoredDetail, DeliveryDetail } from './StorageDetail.tsx';
import styles from './Way.module.css';

export interface ShownStage {
  readonly title: string;
  readonly at: number;
  readonly state: State | undefined;
  readonly summary?: ReactNode;
  readonly detail?: ReactNode;
  /** The request ended here. */
  readonly refused?: boolean;
}

function received(event: Of<'received'>): ShownStage {
  return { title: 'Received', at: event.at, state: undefined, summary: `${event.method} ${event.url}` };
}

const outcomes: Readonly<Record<string, State>> = { accepted: 'allowed', refused: 'denied', passed: 'completed' };

function authentication(event: Of<'authentication'>): ShownStage {
  const { user, groups = [], attempts } = event;
  return {
    title: 'Authentication',
    at: event.at,
    state: user === undefined ? 'denied' : 'allowed',
    refused: user === undefined,
    summary: user === undefined ? 'Nobody: no method accepted the credentials.' : <Who user={user} groups={groups} />,
    detail: (
      <ul className={styles.list}>
        {attempts.map(({ method, outcome, why }, index) => (
          <li key={index} className={styles.attempt}>
            <StateMark state={outcomes[outcome] ?? 'completed'} text={method} />
            <span className={styles.why}>{why}</span>
          </li>
        ))}
      </ul>
    ),
  };
}

function Who({ user, groups }: { readonly user: string; readonly groups: readonly string[] }) {
  return (
    <>
      <UserLink name={user} groups={groups} />
      {groups.length > 0 && `, in ${groups.join(', ')}`}
    </>
  );
}

function impersonation(event: Of<'impersonation'>): ShownStage {
  return {
    title: 'Impersonation',
    at: event.at,
    state: 'changed',
    summary: <Who user={event.user} groups={event.groups} />,
  };
}

function flow(event: Of<'flow'>): ShownStage {
  return {
    title: 'Flow control',
    at: event.at,
    state: event.admitted ? 'allowed' : 'denied',
    refused: !event.admitted,
    summary: [flowOutcome(event), ...flowDetails(event.detail)].join('; '),
  };
}

function flowOutcome({ admitted, outcome, priorityLevel, flowSchema }: Of<'flow'>): string {
  const where = priorityLevel === '' ? '' : ` at level ${priorityLevel}, by schema ${flowSchema}`;
  if (outcome === 'exempt') return `Exempt from limits${where}`;
  return `${admitted ? 'Runs' : `Rejected (${outcome})`}${where}`;
}

function flowDetails({ queue, waited = 0, seats }: Of<'flow'>['detail']): string[] {
  return [
    ...(queue === undefined ? [] : [`through queue ${queue}`]),
    ...(waited > 0 ? [`waited ${waited} ms`] : []),
    ...(seats && seats.limit > 0 ? [`${seats.executing} of ${seats.limit} seats taken, ${seats.waiting} waiting`] : []),
  ];
}

const Remedy = later(() => import('./Remedy.tsx'), null);

function authorization(event: Of<'authorization'>, request: OpenedRequest): ShownStage {
  return {
    title: 'Authorization',
    at: event.at,
    state: event.allowed ? 'allowed' : 'denied',
    refused: !event.allowed,
    detail: (
      <>
        <AuthorizationProof attributes={event.attributes} verdicts={event.verdicts} allowed={event.allowed} />
        {!event.allowed && <Remedy attributes={event.attributes} request={request} />}
      </>
    ),
  };
}

function plugin({ event, webhooks }: Extract<Step, { as: 'plugin' }>, request: OpenedRequest): ShownStage {
  const refused = event.outcome === 'refused';
  return {
    title: `${event.phase === 'mutating' ? 'Mutation' : 'Check'}: ${event.plugin}`,
    at: event.at,
    state: refused ? 'denied' : event.outcome === 'changed' ? 'changed' : 'allowed',
    refused,
    detail: <PluginDetail event={event} webhooks={webhooks} request={request} />,
  };
}

function idle({ phase, at: when, plugins }: Extract<Step, { as: 'idle' }>): ShownStage {
  return {
    title: phase === 'mutating' ? 'Mutation' : 'Checks',
    at: when,
    state: undefined,
    detail: <IdlePlugins phase={phase} plugins={plugins} />,
  };
}

function validation(event: Of<'validation'>, request: OpenedRequest): ShownStage {
  return {
    title: 'Validation',
    at: event.at,
    state: event.errors.length === 0 ? 'allowed' : 'failed',
    refused: event.errors.length > 0,
    summary: event.errors.length === 0 && 'The object is valid.',
    detail: event.errors.length > 0 && (
      <ul className={styles.list}>
        {event.errors.map((error, index) => (
          <li key={index} className={styles.message}>
            <EditorField request={request} field={asText(at(error, 'field'))} />: {asText(at(error, 'message'))}
          </li>
        ))}
      </ul>
    ),
  };
}

function stored(event: Of<'stored'>, request: OpenedRequest): readonly ShownStage[] {
  const { key, revision, at: when } = event;
  return [
    {
      title: 'Stored',
      at: when,
      state: 'added',
      detail: <StoredDetail request={request} storageKey={key} revision={revision} />,
    },
    { title: 'Who was notified', at: when, state: undefined, detail: <DeliveryDetail revision={revision} /> },
  ];
}

function answered(event: Of<'answered'>, { method }: OpenedRequest): ShownStage {
  const size = event.bodyBytes === undefined ? '' : `, ${event.bodyBytes} bytes`;
  const nothing = isAbsence(method, event.status) ? ' (there is no such object)' : '';
  return {
    title: 'Answered',
    at: event.at,
    state: stateOfAnswer(method, event.status),
    summary: `${event.status}${nothing} after ${event.ms} ms${size}`,
  };
}

/** What came is folded away; what became of it since is a comparison. */
function object(event: Of<'object'>, before: unknown): ShownStage {
  const [was, is] = [before === undefined ? undefined : toYaml(before), toYaml(event.object)];
  const label = was === undefined ? 'The object as received' : 'The whole object, compared with what was received';
  return {
    title: `Object after ${event.after}`,
    at: event.at,
    state: undefined,
    summary: was === is && 'As it came.',
    detail: was !== is && (
      <Disclosure label={label}>
        <div className={styles.box}>{was === undefined ? <Code text={is} /> : <Diff before={was} after={is} />}</div>
      </Disclosure>
    ),
  };
}

type ShownEvent = Extract<Step, { as: 'event' }>['event'];

function shown(event: ShownEvent, before: unknown, request: OpenedRequest): readonly ShownStage[] {
  switch (event.stage) {
    case 'received':
      return [received(event)];
    case 'authentication':
      return [authentication(event)];
    case 'impersonation':
      return [impersonation(event)];
    case 'flow':
      return [flow(event)];
    case 'authorization':
      return [authorization(event, request)];
    case 'object':
      return [object(event, before)];
    case 'validation':
      return [validation(event, request)];
    case 'stored':
      return stored(event, request);
    case 'answered':
      return [answered(event, request)];
    case 'closed':
      return [{ title: 'Closed', at: event.at, state: undefined, summary: event.why }];
  }
}

/** A part of the cluster, or the page's own machinery: its identity is known, so there was nothing to find out. */
function known({ at: when, attributes }: Of<'authorization'>, from: string | undefined): ShownStage {
  const name = asText(at(attributes, 'user', 'name'));
  const who = (
    <UserLink name={from ?? name} groups={from === undefined ? asTexts(at(attributes, 'user', 'groups')) : []} />
  );
  return { title: 'Authentication', at: when, state: 'allowed', summary: <>{who}, known without credentials</> };
}

function stagesAt(step: Step, request: OpenedRequest): readonly ShownStage[] {
  if (step.as === 'plugin') return [plugin(step, request)];
  if (step.as === 'idle') return [idle(step)];
  return shown(step.event, step.before, request);
}

/** The stages in order; who asks stands at the beginning, also where nothing had to be found out. */
export function stagesOf(request: OpenedRequest): readonly ShownStage[] {
  const { stages } = request;
  const authorized = stages.find((event) => event.stage === 'authorization');
  const asked = stages.some((event) => event.stage === 'authentication');
  const from = stages.find((event) => event.stage === 'impersonation')?.from;
  const all = stepsOf(stages).flatMap((step) => stagesAt(step, request));
  return asked || !authorized ? all : [...all.slice(0, 1), known(authorized, from), ...all.slice(1)];
}
