import { Plus, Send, X } from 'lucide-preact';
import { useState, type FormEvent } from 'preact/compat';
import { Button, IconButton, Select, StateMark, TextArea, TextInput } from '../../../parts/index.ts';
import { isAdministratorName } from '../../../stores/administrator.ts';
import {
  administrator,
  anonymous,
  keyOfIdentity,
  nameOfIdentity,
  useIdentity,
  type Identity,
} from '../../../stores/identity.ts';
import { useRequests, useWhole } from '../../../stores/requests.ts';
import { useCluster } from '../../../stores/session.ts';
import { stateOfStatus } from '../../../theme/states.ts';
import { AuthorizationProof } from '../../requests/AuthorizationProof.tsx';
import { IdentityPicker } from '../IdentityPicker.tsx';
import { askAs, METHODS, triedPath, type Answered, type Asked } from './ask.ts';
import styles from './CompareTab.module.css';

/** At first: whoever the page acts as, beside those who may do everything and nothing. */
function firstFew(current: Identity): readonly Identity[] {
  const all = [current, administrator, anonymous];
  return all.filter((each, at) => all.findIndex((other) => keyOfIdentity(other) === keyOfIdentity(each)) === at);
}

/** One request, as several people side by side: what each is answered, and why. */
export function CompareTab() {
  const { cluster } = useCluster();
  const current = useIdentity((state) => state.current);
  const [identities, setIdentities] = useState(() => firstFew(current));
  const [asked, setAsked] = useState<Asked>({ method: 'GET', path: '/api/v1/namespaces/default/pods', body: '' });
  const [sent, setSent] = useState<Asked>();
  const [answers, setAnswers] = useState<ReadonlyMap<string, Answered>>(new Map());
  const send = async (event: FormEvent<HTMLElement>): Promise<void> => {
    event.preventDefault();
    setSent(asked);
    const each = identities.map(
      async (identity) => [keyOfIdentity(identity), await askAs(cluster.transport, identity, asked)] as const,
    );
    setAnswers(new Map(await Promise.all(each)));
  };
  const change = (at: number, identity: Identity | undefined): void => {
    setIdentities(identities.flatMap((each, index) => (index === at ? (identity ?? []) : each)));
  };
  return (
    <div className={styles.tab}>
      <RequestLine asked={asked} onAsked={setAsked} onSend={(event) => void send(event)} />
      <ul className={styles.columns} aria-label="Side by side">
        {identities.map((identity, at) => (
          <li key={`${at} ${keyOfIdentity(identity)}`} className={styles.column}>
            <div className={styles.who}>
              <IdentityPicker identity={identity} onIdentity={(next) => change(at, next)} />
              {identities.length > 1 && (
                <IconButton
                  icon={X}
                  label={`Leave ${nameOfIdentity(identity)} out`}
                  onClick={() => change(at, undefined)}
                />
              )}
            </div>
            <AnswerView identity={identity} sent={sent} answer={answers.get(keyOfIdentity(identity))} />
          </li>
        ))}
        <li className={styles.more}>
          <Button
            icon={Plus}
            onClick={() => setIdentities([...identities, { kind: 'user', name: 'jane', groups: [] }])}
          >
            Another identity
          </Button>
        </li>
      </ul>
    </div>
  );
}

interface LineProps {
  readonly asked: Asked;
  readonly onAsked: (asked: Asked) => void;
  readonly onSend: (event: FormEvent<HTMLElement>) => void;
}

function RequestLine({ asked, onAsked, onSend }: LineProps) {
  const { method, path, body } = asked;
  return (
    <form className={styles.form} onSubmit={onSend}>
      <Select
        aria-label="Method"
        className={styles.method}
        value={method}
        options={METHODS.map((value) => ({ value, label: value }))}
        onValue={(next) => onAsked({ ...asked, method: next })}
      />
      <TextInput
        code
        aria-label="Path"
        className={styles.path}
        value={path}
        onText={(next) => onAsked({ ...asked, path: next })}
      />
      <Button type="submit" look="primary" icon={Send}>
        {method === 'GET' ? 'Ask as each' : 'Try as each'}
      </Button>
      {method !== 'GET' && (
        <>
          <TextArea
            aria-label="Body"
            className={styles.body}
            placeholder="The body, if any"
            rows={4}
            value={body}
            onText={(next) => onAsked({ ...asked, body: next })}
          />
          <p className={styles.note}>It is sent as a dry run: nothing is stored.</p>
        </>
      )}
    </form>
  );
}

interface AnswerProps {
  readonly identity: Identity;
  readonly sent: Asked | undefined;
  readonly answer: Answered | undefined;
}

function AnswerView({ identity, sent, answer }: AnswerProps) {
  const decision = useDecision(identity, sent);
  if (!answer) return <p className={styles.note}>Not asked yet.</p>;
  const { status, words } = answer;
  const state = status === undefined ? 'failed' : stateOfStatus(status);
  return (
    <>
      <p className={styles.status}>
        {state ? <StateMark filled state={state} text={String(status ?? 'no answer')} /> : status}
      </p>
      <p className={styles.words}>{words}</p>
      {decision && (
        <AuthorizationProof attributes={decision.attributes} verdicts={decision.verdicts} allowed={decision.allowed} />
      )}
    </>
  );
}

/** What authorization said when this was asked last, from the trace. */
function useDecision(identity: Identity, sent: Asked | undefined) {
  const path = sent && triedPath(sent);
  const name = nameOfIdentity(identity);
  const request = useRequests((log) =>
    log.requests.findLast(
      ({ url, method, user }) =>
        url === path &&
        method === sent?.method &&
        (user === name || (identity.kind === 'administrator' && isAdministratorName(user))),
    ),
  );
  return useWhole(request)?.stages.find((stage) => stage.stage === 'authorization');
}
