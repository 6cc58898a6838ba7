import { useState } from 'preact/compat';
import { stringify } from 'yaml';
import type { WebhookCall } from '../../../trace/index.ts';
import { Code, StateMark } from '../../parts/index.ts';
import type { State } from '../../theme/states.ts';
import { at } from '../../stores/jsonValues.ts';
import styles from './WebhooksPanel.module.css';

/** What a webhook was asked and what it answered; one can be opened. */
export function CallList({ calls }: { readonly calls: readonly WebhookCall[] }) {
  const [open, setOpen] = useState<number>();
  if (calls.length === 0) return <p className={styles.faint}>It has not been asked yet.</p>;
  return (
    <ol className={styles.calls} aria-label="Last calls">
      {calls.map((call) => (
        <li key={call.id}>
          <button
            type="button"
            className={styles.call}
            aria-expanded={open === call.id}
            onClick={() => setOpen(open === call.id ? undefined : call.id)}
          >
            <StateMark {...verdictOf(call)} />
            <span className={styles.subject}>{subjectOf(call)}</span>
            <span className={styles.ms}>{call.ms} ms</span>
          </button>
          {open === call.id && <CallParts call={call} />}
        </li>
      ))}
    </ol>
  );
}

function CallParts({ call }: { readonly call: WebhookCall }) {
  return (
    <div className={styles.parts}>
      {call.why !== undefined && <p className={styles.why}>{call.why}</p>}
      {call.logs.length > 0 && <Part title="Console" text={call.logs.join('\n')} plain />}
      <Part title="Asked" text={textOf(call.review)} />
      {call.answer !== undefined && <Part title="Answered" text={textOf(call.answer)} />}
    </div>
  );
}

function Part({ title, text, plain }: { readonly title: string; readonly text: string; readonly plain?: boolean }) {
  return (
    <section aria-label={title}>
      <h4 className={styles.partTitle}>{title}</h4>
      <Code text={text} wrap {...(plain ? { language: 'plain' } : {})} />
    </section>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : stringify(value));

/** What the call came to, in one word or the status of a broken answer. */
function verdictOf({ outcome, status, answer }: WebhookCall): { readonly state: State; readonly text: string } {
  if (outcome === 'failed') return { state: 'failed', text: status === undefined ? 'no answer' : String(status) };
  const converted = at(answer, 'response', 'result', 'status');
  if (converted !== undefined)
    return converted === 'Success'
      ? { state: 'changed', text: 'converted' }
      : { state: 'failed', text: 'not converted' };
  const part = at(answer, 'response') ?? at(answer, 'status');
  const yes = at(part, 'allowed') ?? at(part, 'authenticated');
  if (yes === true)
    return at(part, 'patch') ? { state: 'changed', text: 'patched' } : { state: 'allowed', text: 'yes' };
  return yes === undefined ? { state: 'completed', text: 'answered' } : { state: 'denied', text: 'no' };
}

function subjectOf({ review, kind }: WebhookCall): string {
  const request = at(review, 'request');
  if (kind === 'AdmissionReview')
    return [
      at(request, 'operation'),
      at(request, 'resource', 'resource'),
      at(request, 'namespace'),
      at(request, 'name'),
    ]
      .filter((word) => typeof word === 'string')
      .join(' ');
  if (kind === 'ConversionReview') return conversionOf(request);
  const spec = at(review, 'spec');
  const user = at(spec, 'user');
  const wish = at(spec, 'resourceAttributes') ?? at(spec, 'nonResourceAttributes');
  const words = [user, at(wish, 'verb'), at(wish, 'resource') ?? at(wish, 'path')];
  return [kind, ...words.filter((word) => typeof word === 'string')].join(' ');
}

/** How many objects of which kind were to become what. */
function conversionOf(request: unknown): string {
  const objects = at(request, 'objects');
  const list: readonly unknown[] = Array.isArray(objects) ? objects : [];
  const name = list.length === 1 ? at(list[0], 'metadata', 'name') : list.length;
  return [at(list[0], 'kind'), name, 'to', at(request, 'desiredAPIVersion')]
    .filter((word) => typeof word === 'string' || typeof word === 'number')
    .join(' ');
}
