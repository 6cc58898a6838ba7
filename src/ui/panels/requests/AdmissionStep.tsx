/** What plugins of admission did with a request: their changes, their refusals, and the webhooks that they asked. */
import { Code, Ident, StateMark } from '../../parts/index.ts';
import { asText, at } from '../../stores/jsonValues.ts';
import type { OpenedRequest } from '../../stores/requests.ts';
import { toYaml } from '../object/yaml.ts';
import { EditorField } from './EditorField.tsx';
import { Disclosure } from './Disclosure.tsx';
import { PatchLines } from './PatchLines.tsx';
import { refusalOf, type Admission, type WebhookStep } from './steps.ts';
import styles from './Way.module.css';

interface PluginDetailProps {
  readonly event: Admission;
  readonly webhooks: readonly WebhookStep[];
  readonly request: OpenedRequest;
}

/** What one plugin did. */
export function PluginDetail({ event, webhooks, request }: PluginDetailProps) {
  return (
    <>
      {event.outcome === 'refused' && <RefusalDetail event={event} request={request} />}
      {event.patch && event.patch.length > 0 && <PatchLines patch={event.patch} />}
      {webhooks.length > 0 && (
        <ul className={styles.list} aria-label="Webhooks">
          {webhooks.map((webhook, index) => (
            <WebhookItem key={index} step={webhook} />
          ))}
        </ul>
      )}
    </>
  );
}

function RefusalDetail({ event, request }: { readonly event: Admission; readonly request: OpenedRequest }) {
  const refusal = refusalOf(request);
  const message = typeof event.detail === 'string' ? event.detail : asText(at(event.detail, 'message'));
  const code = asText(at(event.detail, 'code'));
  return (
    <>
      <p className={styles.message}>
        {code} {message}
      </p>
      {refusal && refusal.fields.length > 0 && (
        <ul className={styles.list}>
          {refusal.fields.map((field) => (
            <li key={field}>
              <EditorField request={request} field={field} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const states = { allowed: 'allowed', changed: 'changed', refused: 'denied', failed: 'failed' } as const;
const words = { allowed: 'allowed it', changed: 'changed it', refused: 'refused it', failed: 'failed' } as const;

function WebhookItem({ step }: { readonly step: WebhookStep }) {
  const { webhook, configuration, outcome, why, ignored, review, answer, ms } = step;
  return (
    <li className={styles.webhook}>
      <p>
        <StateMark state={states[outcome]} text={words[outcome]} /> <Ident>{webhook}</Ident>{' '}
        <span className={styles.why}>
          of {configuration}, {ms} ms
        </span>
      </p>
      {why && (
        <p className={styles.why}>
          {why}
          {ignored && ' Its policy is to ignore that.'}
        </p>
      )}
      {review !== undefined && (
        <Disclosure label="What it was asked">
          <Code text={toYaml(review)} />
        </Disclosure>
      )}
      {answer !== undefined && (
        <Disclosure label="What it answered">
          <Code text={toYaml(answer)} />
        </Disclosure>
      )}
    </li>
  );
}

interface IdlePluginsProps {
  readonly phase: Admission['phase'];
  readonly plugins: readonly string[];
}

/** Plugins that had nothing to do, by name. */
export function IdlePlugins({ phase, plugins }: IdlePluginsProps) {
  const what = phase === 'mutating' ? 'nothing to do' : 'no objection';
  const count = plugins.length === 1 ? '1 plugin' : `${plugins.length} plugins`;
  return (
    <Disclosure label={`${count} had ${what}`}>
      <ul className={styles.names}>
        {plugins.map((plugin) => (
          <li key={plugin}>{plugin}</li>
        ))}
      </ul>
    </Disclosure>
  );
}
