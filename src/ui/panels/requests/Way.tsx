import { useMemo, useRef } from 'preact/compat';
import { cx, later } from '../../parts/index.ts';
import { hrefOf, useAddress } from '../../stores/address.ts';
import { useHeld } from '../../stores/breakpoints.ts';
import type { OpenedRequest } from '../../stores/requests.ts';
import { stateIcons } from '../../theme/states.ts';
import { EditorField } from './EditorField.tsx';
import { refusalOf } from './steps.ts';
import { stagesOf, type ShownStage } from './stages.tsx';
import { AuditDetail, useAuditOf } from './StorageDetail.tsx';
import styles from './Way.module.css';

const WhyConflict = later(() => import('./why/WhyConflict.tsx'), null);
const WhyExpired = later(() => import('./why/WhyExpired.tsx'), null);

/** A request's way through the server, stage by stage: what each saw, decided and changed; where it ended or waits. */
export function Way({ request }: { readonly request: OpenedRequest }) {
  const stages = useMemo(() => stagesOf(request), [request]);
  const audit = useAuditOf(request);
  const list = useRef<HTMLOListElement>(null);
  const toStep = (): void => list.current?.querySelector('[data-refused]')?.scrollIntoView({ block: 'center' });
  const audited: ShownStage = {
    title: audit.length === 1 ? 'Audit event' : 'Audit events',
    at: request.at,
    state: undefined,
    detail: <AuditDetail keys={audit} />,
  };
  return (
    <>
      <RefusalNote request={request} onStep={stages.some(({ refused }) => refused) ? toStep : undefined} />
      {request.status === 409 && <WhyConflict request={request} />}
      {request.status === 410 && <WhyExpired request={request} />}
      <ol className={styles.way} ref={list}>
        {stages.map((stage, index) => (
          <Stage key={index} stage={stage} start={request.at} />
        ))}
        <HeldStage request={request} />
        {audit.length > 0 && <Stage stage={audited} start={request.at} />}
      </ol>
    </>
  );
}

/** Where a request was refused and why, before everything else. */
function RefusalNote({
  request,
  onStep,
}: {
  readonly request: OpenedRequest;
  /** Goes to the step at which it ended; absent where no step says it. */
  readonly onStep: (() => void) | undefined;
}) {
  const refusal = useMemo(() => refusalOf(request), [request]);
  if (!refusal) return null;
  return (
    <section className={styles.refusal} aria-label="Why it was refused">
      <p className={styles.head}>
        <span className={styles.title}>
          Refused by {refusal.where}
          {refusal.reason ? `: ${refusal.reason}` : ''}
        </span>
        {onStep && (
          <button type="button" className={styles.field} onClick={onStep}>
            Go to the step
          </button>
        )}
      </p>
      <p className={styles.message}>{refusal.message}</p>
      {refusal.fields.length > 0 && (
        <p className={styles.links}>
          {[...new Set(refusal.fields)].map((field) => (
            <EditorField key={field} request={request} field={field} />
          ))}
        </p>
      )}
    </section>
  );
}

function HeldStage({ request }: { readonly request: OpenedRequest }) {
  const address = useAddress();
  const held = useHeld(request.id);
  if (!held) return null;
  const Icon = stateIcons.pending;
  const href = hrefOf({ panel: 'requests', path: ['breakpoints', held.request] }, address);
  return (
    <li className={cx(styles.stage, styles.pending)}>
      <Icon className={styles.icon} aria-label="pending" />
      <div className={styles.words}>
        <p className={styles.title}>Held before {held.before}</p>
        <p>
          <a className={styles.field} href={href}>
            Look at it, edit it, let it go
          </a>
        </p>
      </div>
    </li>
  );
}

function Stage({ stage, start }: { readonly stage: ShownStage; readonly start: number }) {
  const { title, state, summary, detail, at, refused } = stage;
  const Icon = stateIcons[state ?? 'completed'];
  const offset = at - start;
  return (
    <li
      className={cx(styles.stage, state && styles[state], refused && styles.refused)}
      data-refused={refused || undefined}
    >
      <Icon className={styles.icon} aria-label={state} />
      <div className={styles.words}>
        <p className={styles.head}>
          <span className={styles.title}>{title}</span>
          {offset > 0 && <span className={styles.time}>+{offset} ms</span>}
        </p>
        {summary && <div className={styles.summary}>{summary}</div>}
        {detail}
      </div>
    </li>
  );
}
