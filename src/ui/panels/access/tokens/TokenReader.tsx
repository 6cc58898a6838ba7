import { ScanSearch, UserRoundCheck } from 'lucide-preact';
import { useEffect, useState } from 'preact/compat';
import {
  Button,
  Code,
  CopyButton,
  ErrorNote,
  Facts,
  Field,
  Ident,
  Section,
  StateMark,
  TextArea,
} from '../../../parts/index.ts';
import { messageOf } from '../../../stores/actions.ts';
import { useNow } from '../../../stores/clock.ts';
import { actAs } from '../../../stores/identity.ts';
import { asText } from '../../../stores/jsonValues.ts';
import { toYaml } from '../../object/yaml.ts';
import { Until } from '../certificates/Until.tsx';
import { decodeToken, type DecodedToken } from '../../../../std/index.ts';
import { bootstrapTokenId } from './decode.ts';
import { reviewToken, type IssuedToken, type Review } from './issuing.ts';
import styles from './TokensTab.module.css';

/** Any token: what it says, what the server makes of it. It stays in this field; nothing of it gets into the address or a log. */
export function TokenReader({ issued }: { readonly issued: IssuedToken | undefined }) {
  const [token, setToken] = useState('');
  const [review, setReview] = useState<Review | string>();
  const change = (text: string): void => {
    setToken(text.trim());
    setReview(undefined);
  };
  useEffect(() => {
    if (issued) change(issued.token);
  }, [issued]);
  const ask = (): void => {
    reviewToken(token).then(setReview, (problem: unknown) => setReview(messageOf(problem)));
  };
  const decoded = decodeToken(token);
  const label = nameFor(token, decoded, review, issued);
  return (
    <div className={styles.reader}>
      <Field label="A token" hint="Paste any; it is read here and sent nowhere by itself">
        {(ids) => <TextArea {...ids} rows={4} value={token} onText={change} />}
      </Field>
      {token !== '' && (
        <div className={styles.actions}>
          <Button icon={ScanSearch} onClick={ask}>
            Ask the server whose it is
          </Button>
          <Button look="primary" icon={UserRoundCheck} onClick={() => actAs({ kind: 'token', label, token })}>
            Act as {label}
          </Button>
          <CopyButton text={token} label="Copy the token" />
        </div>
      )}
      {review !== undefined && <ReviewView review={review} />}
      {decoded && <Claims decoded={decoded} />}
    </div>
  );
}

/** What to call whoever bears a token: as the server does, else as the token says. */
function nameFor(
  token: string,
  decoded: DecodedToken | undefined,
  review: Review | string | undefined,
  issued: IssuedToken | undefined,
): string {
  if (typeof review === 'object' && review.user !== '') return review.user;
  if (issued?.token === token) return issued.label;
  const id = bootstrapTokenId(token);
  return asText(decoded?.claims.sub) || (id === undefined ? 'the bearer' : `system:bootstrap:${id}`);
}

function ReviewView({ review }: { readonly review: Review | string }) {
  if (typeof review === 'string') return <ErrorNote title="The server does not say.">{review}</ErrorNote>;
  if (review.user === '') {
    return (
      <ErrorNote title="The server does not accept it." denied>
        {review.error || 'No method knows the token.'}
      </ErrorNote>
    );
  }
  return (
    <Section title="The server says">
      <Facts
        facts={[
          ['User', <StateMark key="user" state="allowed" text={review.user} />],
          ['Groups', <Ident key="groups">{review.groups.join(', ')}</Ident>],
          [
            'Audiences',
            review.audiences.length > 0 ? <Ident key="audiences">{review.audiences.join(', ')}</Ident> : undefined,
          ],
        ]}
      />
    </Section>
  );
}

function Claims({ decoded }: { readonly decoded: DecodedToken }) {
  const now = useNow();
  const { header, claims, expires, signed } = decoded;
  return (
    <Section title="The token says">
      <Facts
        facts={[
          ['Issued by', <Ident key="iss">{asText(claims.iss)}</Ident>],
          ['For', <Ident key="sub">{asText(claims.sub)}</Ident>],
          ['Signature', signed ? asText(header.alg) : <StateMark key="alg" state="failed" text="none" />],
          ['Until', expires === undefined ? undefined : <Until key="until" notAfter={expires} now={now} />],
        ]}
      />
      <Code text={toYaml({ header, claims })} language="yaml" wrap />
    </Section>
  );
}
