import { Facts, Ident, Section } from '../../parts/index.ts';
import type { OpenedRequest } from '../../stores/requests.ts';

const SECRET = /^(authorization|cookie|proxy-authorization|set-cookie)$/i;

/** A header's value, unless it is a credential. */
const shownValue = (name: string, value: string): string => (SECRET.test(name) ? '(hidden)' : value);

type Pairs = readonly (readonly [string, string])[];

function HeaderList({ title, headers }: { readonly title: string; readonly headers: Pairs }) {
  return (
    <Section title={title}>
      <Facts
        facts={headers.map(([name, value], index) => [name, <Ident key={index}>{shownValue(name, value)}</Ident>])}
      />
    </Section>
  );
}

/** The headers of a request and of its answer. Credentials are hidden by the server already, and once more here. */
export function Headers({ request }: { readonly request: OpenedRequest }) {
  const sent = request.stages.flatMap((stage) => (stage.stage === 'received' ? stage.headers : []));
  const answered = request.stages.flatMap((stage) => (stage.stage === 'answered' ? stage.headers : []));
  return (
    <>
      <HeaderList title="Sent" headers={sent} />
      {answered.length > 0 && <HeaderList title="Answered" headers={answered} />}
    </>
  );
}
