import { FileBadge, KeyRound, ShieldCheck, ShieldX } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import type { ApiObject } from '../../../../schema/index.ts';
import { Button, Empty, ErrorNote, Facts, Field, Ident, StateMark, TextInput } from '../../../parts/index.ts';
import { age, dateAndTime, useNow } from '../../../stores/clock.ts';
import { asText, at } from '../../../stores/jsonValues.ts';
import { useLiveObjects } from '../../../stores/liveObjects.ts';
import { ObjectLink } from '../../object/ObjectLink.tsx';
import { findResource, useResources } from '../../../stores/resources.ts';
import { decodePem } from './pem.ts';
import { decide, requests, standingOf, submitRequest } from './signing.ts';
import styles from './CertificatesTab.module.css';

/** Requests for certificates: make one, approve or deny it, see what was signed. */
export default function CertificatesTab() {
  const live = useLiveObjects({ resource: requests });
  const sorted = [...live.objects].sort((a, b) =>
    (a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? 1 : -1,
  );
  return (
    <div className={styles.tab}>
      <RequestForm />
      {live.phase === 'refused' && (
        <ErrorNote title="The server does not list signing requests to you." denied={live.problem?.code === 403}>
          {live.problem?.message}
        </ErrorNote>
      )}
      {live.phase === 'live' && sorted.length === 0 && (
        <Empty icon={FileBadge} title="No signing requests">
          Make one above. The key is made in the page and never leaves it; the request travels, and once it is approved
          the cluster’s own authority signs it.
        </Empty>
      )}
      <ul>
        {sorted.map((request) => (
          <RequestItem key={request.metadata.uid} request={request} />
        ))}
      </ul>
    </div>
  );
}

const NAME = /[^a-z0-9.-]+/g;

function RequestForm() {
  const [user, setUser] = useState('');
  const [groups, setGroups] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (user.trim() === '') return;
    setBusy(true);
    const name = user.trim().toLowerCase().replace(NAME, '-');
    if (await submitRequest(name, user.trim(), groups.split(/[\s,]+/).filter(Boolean))) setUser('');
    setBusy(false);
  };
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <Field label="User" hint="The certificate’s common name">
        {(ids) => <TextInput {...ids} placeholder="jane" value={user} onText={setUser} />}
      </Field>
      <Field label="Groups" hint="Its organizations">
        {(ids) => <TextInput {...ids} placeholder="dev ops" value={groups} onText={setGroups} />}
      </Field>
      <Button
        type="submit"
        look="primary"
        icon={KeyRound}
        busy={busy}
        unavailable={user.trim() === '' && 'A certificate needs a user’s name.'}
      >
        Make a key and ask
      </Button>
    </form>
  );
}

function RequestItem({ request }: { readonly request: ApiObject }) {
  const now = useNow();
  const resource = useResources((state) =>
    findResource(state.resources, request.apiVersion?.split('/')[0] ?? '', 'certificatesigningrequests'),
  );
  const { state, word } = standingOf(request);
  const name = request.metadata.name ?? '';
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        {resource ? <ObjectLink resource={resource} namespace="" name={name} /> : <Ident>{name}</Ident>}
        <StateMark state={state} text={word} />
        <span className={styles.note}>
          asked by {asText(at(request, 'spec', 'username'))}, {age(request.metadata.creationTimestamp, now)} ago
        </span>
        {word === 'Pending' && (
          <span className={styles.actions}>
            <Button icon={ShieldCheck} onClick={() => void decide(request, 'Approved')}>
              Approve
            </Button>
            <Button icon={ShieldX} look="danger" onClick={() => void decide(request, 'Denied')}>
              Deny
            </Button>
          </span>
        )}
      </div>
      <Said
        base64={asText(at(request, 'status', 'certificate')) || asText(at(request, 'spec', 'request'))}
        signer={asText(at(request, 'spec', 'signerName'))}
        now={now}
      />
    </li>
  );
}

/** What the request says; once it is signed, what the certificate says. */
function Said({ base64, signer, now }: { readonly base64: string; readonly signer: string; readonly now: number }) {
  const decoded = decodePem(base64);
  if (!decoded) return <p className={styles.note}>It can’t be read.</p>;
  const { what, subject, issuer, serialNumber, notBefore, notAfter, algorithm } = decoded;
  const expired = notAfter !== undefined && now > notAfter;
  return (
    <Facts
      facts={[
        [what === 'request' ? 'Asks for' : 'Certificate for', <Ident key="subject">{subject}</Ident>],
        ['Signer', <Ident key="signer">{signer}</Ident>],
        ['Key', algorithm],
        ['Issued by', issuer && <Ident key="issuer">{issuer}</Ident>],
        ['Serial number', serialNumber && <Ident key="serial">{serialNumber}</Ident>],
        ['Valid from', notBefore && dateAndTime(notBefore)],
        [
          'Until',
          notAfter &&
            (expired ? (
              <StateMark key="until" state="failed" text={`${dateAndTime(notAfter)}, expired`} />
            ) : (
              dateAndTime(notAfter)
            )),
        ],
      ]}
    />
  );
}
