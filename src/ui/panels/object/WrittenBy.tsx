import { hrefOf, useAddress } from '../../stores/address.ts';
import { identityOf } from '../../stores/identity.ts';
import { useRequests, type LoggedRequest } from '../../stores/requests.ts';
import { likeliest } from '../glass/model/reactions.ts';
import { because } from '../glass/model/sentences.ts';
import styles from './WrittenBy.module.css';

/** A service account by its own name: where there is little room, that tells it apart. */
function shortName(user: string): string {
  const identity = identityOf(user);
  return identity.kind === 'account' ? identity.name : user;
}

/** The request that made a revision, while the log has it. */
const useWriter = (revision: number | undefined): LoggedRequest | undefined =>
  useRequests((log) =>
    revision === undefined ? undefined : log.requests.findLast((each) => each.revision === revision),
  );

interface Written {
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
}

/** Who wrote a revision of an object, and in reaction to what, while the log has it: links to the requests. */
export function WrittenBy({ namespace, name, revision }: Written) {
  const address = useAddress();
  const request = useWriter(revision);
  const received = request?.stages.find((stage) => stage.stage === 'received');
  const woken = likeliest(received?.causes ?? [], { namespace, name })?.woken.at(-1);
  const cause = useWriter(woken?.revision);
  if (!request) return null;
  const href = ({ id }: LoggedRequest): string => hrefOf({ query: { sel: `request:${id}`, tab: undefined } }, address);
  return (
    <span className={styles.written}>
      <a href={href(request)} title={`${request.verb} by ${request.user}`}>
        {request.verb} by {shortName(request.user)}
      </a>
      {woken && (cause ? <a href={href(cause)}>{because(woken)}</a> : <span>{because(woken)}</span>)}
    </span>
  );
}
