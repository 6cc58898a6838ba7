import { CornerDownRight } from 'lucide-preact';
import type { Outcome } from '../../editor/apply.ts';
import type { Problem } from '../../editor/documents.ts';
import { Diff, Ident, later, StateMark } from '../../parts/index.ts';
import type { ApiObject } from '../../../schema/index.ts';
import { nameOfIdentity, useIdentity } from '../../stores/identity.ts';
import { useRequests, useWhole } from '../../stores/requests.ts';
import { ObjectLink } from '../object/ObjectLink.tsx';
import { printObject } from '../object/yaml.ts';
import styles from './Outcomes.module.css';

interface OutcomesProps {
  readonly outcomes: readonly Outcome[];
  readonly dryRun: boolean;
  readonly problems: readonly Problem[];
  readonly onLine: (line: number) => void;
}

const shown = (object: ApiObject | undefined): string =>
  object ? printObject(object, { managedFields: false, secrets: false }) : '';

/** What became of each document; of a dry run, what would have. */
export function Outcomes({ outcomes, dryRun, problems, onLine }: OutcomesProps) {
  if (outcomes.length === 0 && problems.length === 0) return null;
  return (
    <ul className={styles.outcomes} aria-label="Results" aria-live="polite">
      {problems.map((problem, index) => (
        <ProblemItem key={`syntax ${index}`} problem={problem} onLine={onLine} />
      ))}
      {outcomes.map((outcome, index) => (
        <OutcomeItem key={index} outcome={outcome} dryRun={dryRun} onLine={onLine} />
      ))}
    </ul>
  );
}

function ProblemItem({ problem, onLine }: { readonly problem: Problem; readonly onLine: (line: number) => void }) {
  return (
    <li>
      <button type="button" className={styles.problem} onClick={() => onLine(problem.line)}>
        <CornerDownRight className={styles.icon} aria-hidden />
        <span className={styles.line}>line {problem.line}</span>
        {problem.message}
      </button>
    </li>
  );
}

const words = { created: 'added', changed: 'changed', unchanged: 'completed', failed: 'failed' } as const;

function OutcomeItem({
  outcome,
  dryRun,
  onLine,
}: {
  readonly outcome: Outcome;
  readonly dryRun: boolean;
  readonly onLine: (line: number) => void;
}) {
  const { manifest, did } = outcome;
  const denied = outcome.did === 'failed' && [401, 403].includes(outcome.status.code);
  const word = dryRun && did !== 'failed' ? `would be ${did}` : did === 'failed' && denied ? 'denied' : did;
  return (
    <li className={styles.outcome}>
      <p className={styles.head}>
        <StateMark state={denied ? 'denied' : words[did]} text={word} />
        <span className={styles.kind}>{manifest.kind}</span>
        {outcome.did === 'failed' || dryRun ? (
          <Ident>{manifest.name || '(generated name)'}</Ident>
        ) : (
          <ObjectLink {...outcome.target} />
        )}
        {outcome.did !== 'failed' && !dryRun && (
          <span className={styles.line}>revision {outcome.after.metadata.resourceVersion}</span>
        )}
      </p>
      {outcome.did === 'failed' && <Refusal outcome={outcome} onLine={onLine} />}
      {outcome.did !== 'failed' && dryRun && (
        <div className={styles.diff}>
          <Diff before={shown(outcome.before)} after={shown(outcome.after)} />
        </div>
      )}
    </li>
  );
}

const WhyConflict = later(() => import('../requests/why/WhyConflict.tsx'), null);

/** Why the latest write of this name was answered with 409, as the request log has it. */
function ConflictOf({ name }: { readonly name: string }) {
  const user = useIdentity((state) => nameOfIdentity(state.current));
  const logged = useRequests((log) =>
    log.requests.findLast(
      (each) =>
        each.status === CONFLICT &&
        each.sender === 'person' &&
        (each.user === user || user === 'administrator') &&
        (each.method === 'POST' || each.url.split('?')[0]?.split('/').includes(encodeURIComponent(name))),
    ),
  );
  const request = useWhole(logged);
  return request ? <WhyConflict request={request} /> : null;
}

const CONFLICT = 409;

function Refusal({
  outcome,
  onLine,
}: {
  readonly outcome: Extract<Outcome, { readonly did: 'failed' }>;
  readonly onLine: (line: number) => void;
}) {
  const { status, problems } = outcome;
  return (
    <>
      <p className={styles.message}>
        {status.code > 0 && `${status.code} `}
        {status.message}
      </p>
      {status.code === CONFLICT && <ConflictOf name={outcome.manifest.name} />}
      {(status.details?.causes?.length ?? 0) > 0 && (
        <ul>
          {problems.map((problem, index) => (
            <ProblemItem key={index} problem={problem} onLine={onLine} />
          ))}
        </ul>
      )}
    </>
  );
}
