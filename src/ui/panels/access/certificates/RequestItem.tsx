import { ShieldCheck, ShieldX, UserRoundCheck } from 'lucide-preact';
import { useEffect } from 'preact/compat';
import type { ApiObject } from '../../../../schema/index.ts';
import { Badge, Button, Facts, Ident, StateMark } from '../../../parts/index.ts';
import { certified } from '../../../shell/offers.ts';
import { age, dateAndTime, useNow } from '../../../stores/clock.ts';
import { actAs } from '../../../stores/identity.ts';
import { asText, at } from '../../../stores/jsonValues.ts';
import type { HeldKey } from '../../../stores/keyring.ts';
import { findResource, useResources } from '../../../stores/resources.ts';
import { WriteButton } from '../../commands/WriteButton.tsx';
import { ObjectLink } from '../../object/ObjectLink.tsx';
import { decodePem, type Decoded } from './pem.ts';
import { deciding, keepCertificate, standingOf } from './signing.ts';
import { Until } from './Until.tsx';
import styles from './CertificatesTab.module.css';

/** One signing request: who asks for what, what was decided, what was signed, and what can be done with it. */
export function RequestItem({ request, held }: { readonly request: ApiObject; readonly held: HeldKey | undefined }) {
  const now = useNow();
  const certificate = asText(at(request, 'status', 'certificate'));
  const missing = held && held.certificate === undefined && certificate !== '' ? held : undefined;
  useEffect(() => {
    if (missing) void keepCertificate(missing, certificate);
  }, [missing, certificate]);
  const decoded = decodePem(certificate || asText(at(request, 'spec', 'request')));
  return (
    <li className={styles.item}>
      <Head request={request} held={held} now={now} />
      {decoded ? (
        <Said decoded={decoded} signer={asText(at(request, 'spec', 'signerName'))} now={now} />
      ) : (
        <p className={styles.note}>It can’t be read.</p>
      )}
    </li>
  );
}

interface HeadProps {
  readonly request: ApiObject;
  readonly held: HeldKey | undefined;
  readonly now: number;
}

function Head({ request, held, now }: HeadProps) {
  const resource = useResources((state) =>
    findResource(state.resources, request.apiVersion?.split('/')[0] ?? '', 'certificatesigningrequests'),
  );
  const { state, word } = standingOf(request);
  const name = request.metadata.name ?? '';
  return (
    <div className={styles.head}>
      {resource ? <ObjectLink resource={resource} namespace="" name={name} /> : <Ident>{name}</Ident>}
      <StateMark state={state} text={word} />
      {held && <Badge>key in this page</Badge>}
      <span className={styles.note}>
        asked by {asText(at(request, 'spec', 'username'))}, {age(request.metadata.creationTimestamp, now)} ago
      </span>
      <span className={styles.actions}>
        {word === 'Pending' && (
          <>
            <WriteButton icon={ShieldCheck} write={deciding(request, 'Approved')} />
            <WriteButton icon={ShieldX} look="danger" write={deciding(request, 'Denied')} />
          </>
        )}
        {held?.certificate !== undefined && <UseButton held={held} />}
      </span>
    </div>
  );
}

/** From then on each request is signed with the key, and the server knows its sender by the certificate alone. */
export function UseButton({ held }: { readonly held: HeldKey }) {
  return (
    <Button look="primary" icon={UserRoundCheck} onClick={() => actAs(certified(held))}>
      Act as {held.user}
    </Button>
  );
}

interface SaidProps {
  readonly decoded: Decoded;
  readonly signer?: string;
  readonly now: number;
}

/** What a request says; once it is signed, what the certificate says. */
export function Said({ decoded, signer, now }: SaidProps) {
  const { what, subject, issuer, serialNumber, notBefore, notAfter, algorithm, user, groups, hosts } = decoded;
  return (
    <Facts
      facts={[
        [what === 'request' ? 'Asks for' : 'Certificate for', <Ident key="subject">{subject}</Ident>],
        ['User', user && <Ident key="user">{user}</Ident>],
        ['Groups', groups.length > 0 ? <Ident key="groups">{groups.join(', ')}</Ident> : undefined],
        ['Served at', hosts.length > 0 ? <Ident key="hosts">{hosts.join(', ')}</Ident> : undefined],
        ['Signer', signer && <Ident key="signer">{signer}</Ident>],
        ['Key', algorithm],
        ['Issued by', issuer && <Ident key="issuer">{issuer}</Ident>],
        ['Serial number', serialNumber && <Ident key="serial">{serialNumber}</Ident>],
        ['Valid from', notBefore && dateAndTime(notBefore)],
        ['Until', notAfter && <Until key="until" notAfter={notAfter} now={now} />],
      ]}
    />
  );
}
