import { ArrowLeft, Download, Globe, RotateCw } from 'lucide-preact';
import { useEffect, useState, type ReactNode, type FormEvent } from 'preact/compat';
import {
  Button,
  Code,
  cx,
  Empty,
  ErrorNote,
  Facts,
  IconButton,
  save,
  Segmented,
  StateMark,
  TextInput,
  Waiting,
} from '../../parts/index.ts';
import { messageOf } from '../../stores/actions.ts';
import { readPage } from './links.ts';
import { useBrowsing, type BrowseTarget } from './opened.ts';
import { ask, proxyPrefix, textOf, type BrowseAnswer } from './request.ts';
import styles from './browse.module.css';

/** A small browser for servers in the cluster. */
export default function BrowseDock() {
  const target = useBrowsing((state) => state.target);
  if (!target)
    return (
      <Empty icon={Globe} title="No server is open">
        Choose “Browse” in the menu of a pod or service to see what it answers.
      </Empty>
    );
  return <Browser key={JSON.stringify(target)} target={target} />;
}

interface Visit {
  readonly port: number;
  readonly path: string;
  /** Visited again, it is another visit. */
  readonly id: number;
}

function Browser({ target }: { readonly target: BrowseTarget }) {
  const [visits, setVisits] = useState<readonly Visit[]>([{ port: target.port, path: '/', id: 0 }]);
  const visit = visits.at(-1) ?? { port: target.port, path: '/', id: 0 };
  const { answer, problem, busy } = useAnswer(target, visit);
  const go = (path: string, port = visit.port): void =>
    setVisits((before) => [...before.slice(-49), { port, path, id: (before.at(-1)?.id ?? 0) + 1 }]);
  return (
    <section className={styles.browser} aria-label={`Browser on ${target.name}`}>
      <AddressBar
        key={`${visit.id} ${answer?.path ?? ''}`}
        target={target}
        visit={visit}
        path={answer?.path ?? visit.path}
        onGo={go}
      >
        <IconButton
          icon={ArrowLeft}
          label="Back"
          unavailable={visits.length < 2 && 'This is the first page.'}
          onClick={() => setVisits((before) => before.slice(0, -1))}
        />
        <IconButton icon={RotateCw} label="Load again" onClick={() => go(visit.path)} />
      </AddressBar>
      {busy && <Waiting />}
      {problem !== undefined && <ErrorNote title="There is no answer.">{problem}</ErrorNote>}
      {answer && <Answer target={target} visit={visit} answer={answer} onGo={go} />}
    </section>
  );
}

function useAnswer(
  target: BrowseTarget,
  visit: Visit,
): { readonly answer?: BrowseAnswer; readonly problem?: string; readonly busy: boolean } {
  const [state, setState] = useState<{ answer?: BrowseAnswer; problem?: string; busy: boolean }>({ busy: true });
  useEffect(() => {
    const abort = new AbortController();
    setState({ busy: true });
    ask(target, visit.port, visit.path, abort.signal).then(
      (answer) => setState({ answer, busy: false }),
      (error: unknown) => abort.signal.aborted || setState({ problem: messageOf(error), busy: false }),
    );
    return () => abort.abort();
  }, [target, visit]);
  return state;
}

interface AddressBarProps {
  readonly target: BrowseTarget;
  readonly visit: Visit;
  readonly path: string;
  readonly onGo: (path: string, port: number) => void;
  readonly children: ReactNode;
}

function AddressBar({ target, visit, path, onGo, children }: AddressBarProps) {
  const [text, setText] = useState(path);
  const [port, setPort] = useState(String(visit.port));
  const good = /^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536;
  const submit = (event: FormEvent<HTMLElement>): void => {
    event.preventDefault();
    if (good) onGo(text.startsWith('/') ? text : `/${text}`, Number(port));
  };
  return (
    <form className={styles.bar} onSubmit={submit}>
      {children}
      <span className={styles.host}>
        GET http://{target.name}
        {target.kind === 'services' && `.${target.namespace}.svc`}:
      </span>
      <TextInput
        aria-label="Port"
        aria-invalid={!good}
        className={styles.port}
        code
        inputMode="numeric"
        value={port}
        onText={setPort}
      />
      <TextInput aria-label="Path" className={styles.path} code value={text} onText={setText} />
      <Button type="submit" unavailable={!good && 'A port is a number from 1 to 65535.'}>
        Go
      </Button>
    </form>
  );
}

type View = 'page' | 'text' | 'headers';

interface AnswerProps {
  readonly target: BrowseTarget;
  readonly visit: Visit;
  readonly answer: BrowseAnswer;
  readonly onGo: (path: string) => void;
}

function Answer({ target, visit, answer, onGo }: AnswerProps) {
  const isPage = answer.type.startsWith('text/html');
  const [view, setView] = useState<View>(isPage ? 'page' : 'text');
  const text = textOf(answer);
  const good = answer.status < 400;
  return (
    <>
      <div className={styles.bar}>
        <StateMark state={good ? 'allowed' : 'failed'} filled text={String(answer.status)} />
        <span className={styles.kind}>
          {answer.type || 'no content type'}, {answer.bytes.length} bytes
        </span>
        <Segmented
          label="View"
          value={view}
          choices={[
            ...(isPage ? [{ value: 'page' as const, label: 'Page' }] : []),
            { value: 'text', label: 'Text' },
            { value: 'headers', label: 'Headers' },
          ]}
          onValue={setView}
        />
        <IconButton
          icon={Download}
          label="Download"
          onClick={() => save(new Blob([answer.bytes]), fileName(answer.path))}
        />
      </div>
      {answer.problem !== undefined && (
        <ErrorNote title="The API server could not pass the request on.">{answer.problem}</ErrorNote>
      )}
      <div className={cx(styles.body, view === 'page' && styles.framed)}>
        {view === 'headers' && <Facts facts={answer.headers} />}
        {view === 'text' &&
          (text === undefined ? (
            <p className={styles.kind}>This content is not text.</p>
          ) : (
            <Code text={text} language="plain" wrap />
          ))}
        {view === 'page' && (
          <PageFrame text={text ?? ''} path={answer.path} prefix={proxyPrefix(target, visit.port)} onGo={onGo} />
        )}
      </div>
    </>
  );
}

const fileName = (path: string): string => path.split('?', 1)[0]?.split('/').pop() || 'index.html';

interface PageFrameProps {
  readonly text: string;
  readonly path: string;
  readonly prefix: string;
  readonly onGo: (path: string) => void;
}

/** A page without scripts, in a frame that may do nothing; its links stand under it, since a click inside would leave it. */
function PageFrame({ text, path, prefix, onGo }: PageFrameProps) {
  const { html, links } = readPage(text, path, prefix);
  return (
    <>
      <iframe className={styles.frame} title={`Page at ${path}`} sandbox="" srcDoc={html} />
      {links.length > 0 && (
        <nav className={styles.links} aria-label="Links of the page">
          {links.map((link) => (
            <Button key={link.path} look="quiet" title={link.path} onClick={() => onGo(link.path)}>
              {link.text}
            </Button>
          ))}
        </nav>
      )}
    </>
  );
}
