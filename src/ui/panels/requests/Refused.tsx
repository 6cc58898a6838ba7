import { ErrorNote, later, Section } from '../../parts/index.ts';
import type { Status } from '../../../schema/index.ts';
import { nameOfIdentity, useIdentity } from '../../stores/identity.ts';
import { isDenied } from '../../stores/liveTable.ts';
import { useRequests, useWhole, type LoggedRequest } from '../../stores/requests.ts';
import { AuthorizationProof } from './AuthorizationProof.tsx';
import styles from './Refused.module.css';

const Remedy = later(() => import('./Remedy.tsx'), null);

/** The latest request to `path` that was refused to whom the page acts as. */
function useRefusedRequest(path: string): LoggedRequest | undefined {
  const user = useIdentity((state) => nameOfIdentity(state.current));
  return useRequests((log) =>
    log.requests.findLast(
      (request) => request.status === 403 && request.user === user && request.url.split('?')[0] === path,
    ),
  );
}

interface RefusedProps {
  readonly title: string;
  readonly problem: Status;
  /** Path of the request that was refused; the log tells why. */
  readonly path: string;
}

/** Why the server does not show something: its own words, then the proof, module by module. */
export default function Refused({ title, problem, path }: RefusedProps) {
  const request = useWhole(useRefusedRequest(path));
  const decision = request?.stages.find((stage) => stage.stage === 'authorization');
  return (
    <div className={styles.refused}>
      <ErrorNote title={title} denied={isDenied(problem)}>
        <p>{problem.message ?? problem.reason}</p>
        <p>The page tries again every few seconds{isDenied(problem) && ', until this is allowed'}.</p>
      </ErrorNote>
      {decision && <Remedy attributes={decision.attributes} />}
      {decision && (
        <Section title="Why">
          <AuthorizationProof
            attributes={decision.attributes}
            verdicts={decision.verdicts}
            allowed={decision.allowed}
          />
        </Section>
      )}
    </div>
  );
}
