import { Send } from 'lucide-preact';
import { useRef, useState, type FormEvent } from 'preact/compat';
import { Button, Code, CopyButton, ErrorNote, Select, StateMark, TextArea, TextInput } from '../../parts/index.ts';
import { nameOfIdentity, transportAs, useIdentity } from '../../stores/identity.ts';
import { useCluster } from '../../stores/session.ts';
import { stateOfStatus } from '../../theme/states.ts';
import { requestCommand } from '../commands/commandOf.ts';
import { CommandsButton } from '../commands/CommandsButton.tsx';
import type { OwnWay } from '../commands/ownWay.ts';
import { readAnswer, type Answer } from './answer.ts';
import styles from './Console.module.css';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

const BODY_TYPES = [
  { value: 'application/json', label: 'JSON' },
  { value: 'application/yaml', label: 'YAML' },
  { value: 'application/merge-patch+json', label: 'merge patch' },
  { value: 'application/strategic-merge-patch+json', label: 'strategic merge patch' },
  { value: 'application/json-patch+json', label: 'JSON patch' },
  { value: 'application/apply-patch+yaml', label: 'apply patch' },
] as const;

type BodyType = (typeof BODY_TYPES)[number]['value'];

/** Sends a request as it is written, by whoever the page acts as, and shows what comes back as it arrives. */
export function Console() {
  const { cluster, names } = useCluster();
  const identity = useIdentity((state) => state.current);
  const [method, setMethod] = useState<Method>('GET');
  const [path, setPath] = useState('/api/v1/namespaces/default/pods?limit=2');
  const [type, setType] = useState<BodyType>('application/json');
  const [body, setBody] = useState('');
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const hasBody = method !== 'GET';
  const address = path.startsWith('/') ? path : `/${path}`;
  const sent: OwnWay = {
    label: `Send as ${nameOfIdentity(identity)}`,
    commands: () => [
      requestCommand({ method, path: address, contentType: type, body: hasBody ? body : '' }, names.ctl),
    ],
  };
  const send = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault();
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    setProblem(undefined);
    setAnswer(undefined);
    const init: RequestInit = {
      method,
      signal: abort.signal,
      ...(hasBody && body ? { body, headers: { 'content-type': type } } : {}),
    };
    try {
      const response = await transportAs(cluster.transport, identity)(address, init);
      await readAnswer(response, (next) => !abort.signal.aborted && setAnswer(next));
    } catch (error) {
      if (!abort.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <section className={styles.console} aria-label="Console">
      <form className={styles.line} onSubmit={(event) => void send(event)}>
        <Select
          aria-label="Method"
          className={styles.method}
          value={method}
          options={METHODS.map((value) => ({ value, label: value }))}
          onValue={setMethod}
        />
        <TextInput code aria-label="Path" className={styles.path} value={path} onText={setPath} />
        {hasBody && (
          <Select
            aria-label="Type of the body"
            className={styles.type}
            value={type}
            options={BODY_TYPES}
            onValue={setType}
          />
        )}
        <Button type="submit" look="primary" icon={Send}>
          Send as {nameOfIdentity(identity)}
        </Button>
        <CommandsButton of={sent} />
      </form>
      {hasBody && <TextArea aria-label="Body" placeholder="The body, if any" rows={5} value={body} onText={setBody} />}
      {problem && <ErrorNote title="No answer">{problem}</ErrorNote>}
      {answer && <AnswerView answer={answer} onStop={() => running.current?.abort()} />}
    </section>
  );
}

function AnswerView({ answer, onStop }: { readonly answer: Answer; readonly onStop: () => void }) {
  const { status, statusText, contentType, text, open } = answer;
  const state = stateOfStatus(status);
  const [stopped, setStopped] = useState(false);
  const stop = (): void => {
    setStopped(true);
    onStop();
  };
  return (
    <div className={styles.answer}>
      <p className={styles.status}>
        {state ? <StateMark state={state} text={`${status} ${statusText}`} /> : status}
        <span className={styles.type}>{contentType}</span>
        {open && !stopped && <Button onClick={stop}>Stop</Button>}
        <CopyButton text={text} label="Copy the body" />
      </p>
      <div className={styles.body}>
        <Code
          text={text}
          language={contentType.includes('json') || contentType.includes('yaml') ? 'yaml' : 'plain'}
          wrap
        />
      </div>
    </div>
  );
}
