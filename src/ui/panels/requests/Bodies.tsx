import { FileQuestion } from 'lucide-preact';
import { useMemo } from 'preact/compat';
import type { BodyEvent } from '../../../trace/index.ts';
import { Code, CopyButton, Empty, Section } from '../../parts/index.ts';
import type { OpenedRequest } from '../../stores/requests.ts';
import { laidOut } from './answer.ts';
import styles from './Way.module.css';

const titles = { request: 'Sent', answer: 'Answered' } as const;

/** What came with a request and what it was answered; secrets and tokens are hidden where they are traced. */
export function Bodies({ request }: { readonly request: OpenedRequest }) {
  if (request.bodies.length === 0) {
    return (
      <Empty icon={FileQuestion} title="No bodies">
        Bodies are recorded for requests from outside of the cluster, not for streams and requests of components.
      </Empty>
    );
  }
  return request.bodies.map((body, index) => <Body key={index} body={body} />);
}

function Body({ body: { of, contentType, bytes, text } }: { readonly body: BodyEvent }) {
  const shown = useMemo(() => text !== undefined && laidOut(text), [text]);
  return (
    <Section title={titles[of]} end={shown !== false && <CopyButton text={shown} label="Copy the body" />}>
      <p className={styles.summary}>
        {contentType}, {bytes} bytes
        {shown === false && '. It is too large to be traced, or no document.'}
      </p>
      {shown !== false && (
        <div className={styles.box}>
          <Code text={shown} />
        </div>
      )}
    </Section>
  );
}
