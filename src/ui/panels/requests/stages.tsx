/** Trace events of a request as a person reads them: what happened at each stage, with what it changed. */
import type { ReactNode } from 'react';
import type { RequestEvent } from '../../../trace/index.ts';
import { Diff, Ident, StateMark } from '../../parts/index.ts';
import { asText, at } from '../../stores/jsonValues.ts';
import { stateOfStatus, type State } from '../../theme/states.ts';
import { toYaml } from '../object/yaml.ts';
import { AuthorizationProof } from './AuthorizationProof.tsx';
import styles from './Way.module.css';

export interface ShownStage {
  readonly title: string;
  readonly at: number;
  readonly state: State | undefined;
  readonly summary?: ReactNode;
  readonly detail?: ReactNode;
}

type Of<S extends RequestEvent['stage']> = Extract<RequestEvent, { readonly stage: S }>;

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
      <Ident>{user}</Ident>
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
    summary: [flowOutcome(event), ...flowDetails(event.detail)].join('; '),
  };
}

function flowOutcome({ admitted, outcome, priorityLevel, flowSchema }: Of<'flow'>): string {
  const where = priorityLevel === '' ? '' : ` at level ${priorityLevel}, by schema ${flowSchema}`;
  if (outcome === 'exempt') return `Exempt from limits${where}`;
  return `${admitted ? 'Runs' : `Turned away (${outcome})`}${where}`;
}

function flowDetails({ queue, waited = 0, seats }: Of<'flow'>['detail']): string[] {
  return [
    ...(queue === undefined ? [] : [`through queue ${queue}`]),
    ...(waited > 0 ? [`waited ${waited} ms`] : []),
    ...(seats && seats.limit > 0 ? [`${seats.executing} of ${seats.limit} seats taken, ${seats.waiting} waiting`] : []),
  ];
}

function authorization(event: Of<'authorization'>): ShownStage {
  return {
    title: 'Authorization',
    at: event.at,
    state: event.allowed ? 'allowed' : 'denied',
    detail: <AuthorizationProof attributes={event.attributes} verdicts={event.verdicts} allowed={event.allowed} />,
  };
}

function admission(event: Of<'admission'>): ShownStage {
  const state: State | undefined =
    event.outcome === 'refused' ? 'denied' : event.outcome === 'changed' ? 'changed' : undefined;
  const detail =
    event.detail === undefined ? '' : typeof event.detail === 'string' ? event.detail : toYaml(event.detail);
  return {
    title: `${event.phase === 'mutating' ? 'Mutation' : 'Check'}: ${event.plugin}`,
    at: event.at,
    state,
    summary: detail || (event.outcome === 'unchanged' ? 'nothing to do' : undefined),
  };
}

function validation(event: Of<'validation'>): ShownStage {
  return {
    title: 'Validation',
    at: event.at,
    state: event.errors.length === 0 ? 'allowed' : 'failed',
    detail: event.errors.length > 0 && (
      <ul className={styles.list}>
        {event.errors.map((error, index) => (
          <li key={index}>
            <Ident>{asText(at(error, 'field'))}</Ident>: {asText(at(error, 'message'))}
          </li>
        ))}
      </ul>
    ),
  };
}

function stored(event: Of<'stored'>): ShownStage {
  return {
    title: 'Stored',
    at: event.at,
    state: 'added',
    summary: (
      <>
        <Ident>{event.key}</Ident> at revision <Ident>{String(event.revision)}</Ident>
      </>
    ),
  };
}

function answered(event: Of<'answered'>): ShownStage {
  const size = event.bodyBytes === undefined ? '' : `, ${event.bodyBytes} bytes`;
  return {
    title: 'Answered',
    at: event.at,
    state: stateOfStatus(event.status),
    summary: `${event.status} after ${event.ms} ms${size}`,
  };
}

function object(event: Of<'object'>, before: unknown): ShownStage {
  const changed = before !== undefined;
  return {
    title: `Object after ${event.after}`,
    at: event.at,
    state: changed ? 'changed' : undefined,
    detail: (
      <div className={styles.box}>
        <Diff before={changed ? toYaml(before) : toYaml(event.object)} after={toYaml(event.object)} />
      </div>
    ),
  };
}

function shown(event: RequestEvent, before: unknown): ShownStage {
  switch (event.stage) {
    case 'received':
      return received(event);
    case 'authentication':
      return authentication(event);
    case 'impersonation':
      return impersonation(event);
    case 'flow':
      return flow(event);
    case 'authorization':
      return authorization(event);
    case 'object':
      return object(event, before);
    case 'admission':
      return admission(event);
    case 'validation':
      return validation(event);
    case 'stored':
      return stored(event);
    case 'answered':
      return answered(event);
    case 'closed':
      return { title: 'Closed', at: event.at, state: undefined, summary: event.why };
  }
}

/** A part of the cluster, or the page's own machinery: its identity is known, so there was nothing to find out. */
function known({ at: when, attributes }: Of<'authorization'>): ShownStage {
  const who = <Ident>{asText(at(attributes, 'user', 'name'))}</Ident>;
  return { title: 'Authentication', at: when, state: 'allowed', summary: <>{who}, known without credentials</> };
}

/** The stages in order; each look at the object is shown against the one before. */
export function stagesOf(events: readonly RequestEvent[]): readonly ShownStage[] {
  const asked = events.some((event) => event.stage === 'authentication' || event.stage === 'impersonation');
  let before: unknown;
  return events.flatMap((event) => {
    const stage = shown(event, before);
    if (event.stage === 'object') before = event.object;
    return event.stage === 'authorization' && !asked ? [known(event), stage] : [stage];
  });
}
