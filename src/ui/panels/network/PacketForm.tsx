import { ArrowRight } from 'lucide-preact';
import { useState } from 'preact/compat';
import { parseAddress } from '../../../schema/index.ts';
import { Select, TextInput } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import type { NetworkView } from '../../../network/index.ts';
import type { Picture } from './picture.ts';
import { parsePort } from './workloads.ts';
import styles from './SidePane.module.css';

const protocols = ['TCP', 'UDP', 'SCTP'].map((value) => ({ value, label: value }));
const MOST_PORT = 65_535;

interface PacketFormProps {
  readonly view: NetworkView;
  readonly picture: Picture;
}

/** Both ends of a packet, its protocol and port, and for a request its path. */
export function PacketForm({ view, picture }: PacketFormProps) {
  const { from = '', to = '', toPort = '' } = useAddress(({ query }) => query);
  const { port, protocol } = parsePort(toPort || picture.port);
  return (
    <div className={styles.forms}>
      <div className={styles.form}>
        <Select
          aria-label="Sender"
          value={from}
          options={sendersOf(view, picture)}
          onValue={(value) => go({ query: { from: value } }, true)}
        />
        <ArrowRight className={styles.arrow} aria-hidden />
        <TextInput
          aria-label="Name or address"
          placeholder="name or address"
          list="network-names"
          code
          value={picture.workloads.find(({ key }) => key === to)?.name ?? to}
          onText={(text) => go({ query: { to: text.trim() } }, true)}
        />
        <Names view={view} />
      </div>
      <div className={styles.port}>
        <Select
          aria-label="Protocol"
          value={protocol}
          options={protocols}
          onValue={(value) => go({ query: { toPort: `${value}/${port}` } }, true)}
        />
        <PortInput port={port} onPort={(value) => go({ query: { toPort: `${protocol}/${value}` } }, true)} />
        {protocol === 'TCP' && isName(to, picture) && <PathInput />}
      </div>
    </div>
  );
}

function sendersOf(view: NetworkView, { workloads }: Picture) {
  return [
    { value: '', label: 'Sender…' },
    ...workloads
      .filter(({ pods }) => pods.length > 0)
      .map(({ key, namespace, name }) => ({ value: key, label: `${namespace}/${name}` })),
    ...view
      .all('nodes')
      .map(({ metadata }) => ({ value: `node/${metadata?.name ?? ''}`, label: `node ${metadata?.name ?? ''}` })),
    { value: 'outside', label: 'outside of the cluster' },
  ];
}

/** Whether a target is a host name, to which an Ingress may route by path. */
const isName = (to: string, { workloads }: Picture): boolean =>
  to.includes('.') && !parseAddress(to) && !workloads.some(({ key }) => key === to);

function Names({ view }: { readonly view: NetworkView }) {
  const services = view.all('services').map(({ metadata }) => `${metadata?.name ?? ''}.${metadata?.namespace ?? ''}`);
  const hosts = view.all('ingresses').flatMap(({ spec }) => (spec?.rules ?? []).map(({ host = '' }) => host));
  const names = new Set([...services, ...hosts, ...Object.keys(view.settings.outside)]);
  names.delete('');
  return (
    <datalist id="network-names">
      {[...names].map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}

/** What is typed stays as it is until it is left: a field that is half written is no port yet. */
function PortInput({ port, onPort }: { readonly port: number; readonly onPort: (port: number) => void }) {
  const [typed, setTyped] = useState<string>();
  const type = (text: string): void => {
    setTyped(text);
    const number = Number(text);
    if (/^\d+$/.test(text) && number > 0 && number <= MOST_PORT) onPort(number);
  };
  return (
    <TextInput
      aria-label="Port number"
      code
      inputMode="numeric"
      value={typed ?? String(port)}
      onText={type}
      onBlur={() => setTyped(undefined)}
    />
  );
}

function PathInput() {
  const url = useAddress(({ query }) => query['url'] ?? '');
  return (
    <TextInput
      aria-label="Path of the request"
      placeholder="/path"
      code
      value={url}
      onText={(text) => go({ query: { url: text.trim() || undefined } }, true)}
    />
  );
}
