import { ArrowRight, Ban, Check, CircleDashed } from 'lucide-preact';
import {
  membersOf,
  policyInWords,
  type Membership,
  type RuleWords,
  type SideWords,
} from '../../../../explain/index.ts';
import { pods as podsRef } from '../../../../client/index.ts';
import type { NetworkObjects } from '../../../../network/index.ts';
import type { ApiObject } from '../../../../schema/index.ts';
import { cx } from '../../../parts/index.ts';
import { asList, asText, at } from '../../../stores/jsonValues.ts';
import { useLiveObjects } from '../../../stores/liveObjects.ts';
import { KindLink } from '../ObjectLink.tsx';
import type { Description } from './description.ts';
import styles from './network.module.css';

/** A policy: whom it restricts, and a small picture of each rule. */
export function describeNetworkPolicy(object: ApiObject): readonly Description[] {
  // The server sends what its kind declares.
  const { subject, sides } = policyInWords(object as NetworkObjects['networkpolicies']);
  const content = (
    <div className={styles.stack}>
      <p>It restricts {subject}.</p>
      {sides.map((side) => (
        <Side key={side.direction} side={side} />
      ))}
    </div>
  );
  return [{ title: 'What it does', content }];
}

function Side({ side: { direction, sentence, rules } }: { readonly side: SideWords }) {
  return (
    <div className={styles.stack}>
      <p>{sentence}</p>
      {rules.map((rule, i) => (
        <Rule key={i} rule={rule} direction={direction} />
      ))}
    </div>
  );
}

function Rule({ rule: { peers, ports }, direction }: { readonly rule: RuleWords; readonly direction: string }) {
  const others = <Box lines={peers} empty="everyone" />;
  const selected = <Box lines={['the selected pods']} empty="" strong />;
  return (
    <div className={styles.picture}>
      {direction === 'Ingress' ? others : selected}
      <Arrow text={ports.join(', ') || 'all ports'} />
      {direction === 'Ingress' ? selected : others}
    </div>
  );
}

interface BoxProps {
  readonly lines: readonly string[];
  /** What no line means. */
  readonly empty: string;
  readonly strong?: boolean;
}

const Box = ({ lines, empty, strong }: BoxProps) => (
  <span className={cx(styles.box, strong && styles.strong)}>
    {lines.length === 0 ? empty : lines.map((line, i) => <span key={line}>{i > 0 ? `or ${line}` : line}</span>)}
  </span>
);

const Arrow = ({ text }: { readonly text: string }) => (
  <span className={styles.arrow}>
    {text}
    <ArrowRight className={styles.icon} aria-label="to" />
  </span>
);

/** An Ingress: which address leads to which service. */
export function describeIngress(object: ApiObject): readonly Description[] {
  const addresses = asList(at(object, 'status', 'loadBalancer', 'ingress')).map(
    (each) => asText(at(each, 'ip')) || asText(at(each, 'hostname')),
  );
  const hosts = asList(at(object, 'spec', 'tls')).flatMap((tls) => asList(at(tls, 'hosts')).map(asText));
  const className = asText(at(object, 'spec', 'ingressClassName'));
  const unserved = className === '' ? 'it names no class' : `none serves its class ${className}`;
  const where =
    addresses.length > 0
      ? `A controller serves it at ${addresses.join(', ')}.`
      : `No controller serves it yet: ${unserved}.`;
  const content = (
    <div className={styles.stack}>
      <p>
        {where} {hosts.length > 0 && `HTTPS ends here for ${hosts.join(', ')}.`}
      </p>
      {asList(at(object, 'spec', 'rules')).flatMap((rule, r) =>
        asList(at(rule, 'http', 'paths')).map((path, p) => (
          <Backend key={`${r} ${p}`} object={object} from={pathText(rule, path)} backend={at(path, 'backend')} />
        )),
      )}
      {at(object, 'spec', 'defaultBackend') !== undefined && (
        <Backend object={object} from="everything else" backend={at(object, 'spec', 'defaultBackend')} />
      )}
    </div>
  );
  return [{ title: 'Where requests go', content }];
}

function pathText(rule: unknown, path: unknown): string {
  const exact = asText(at(path, 'pathType')) === 'Exact';
  return `${asText(at(rule, 'host')) || 'any host'}${asText(at(path, 'path')) || '/'}${exact ? '' : ' …'}`;
}

interface BackendProps {
  readonly object: ApiObject;
  readonly from: string;
  readonly backend: unknown;
}

function Backend({ object, from, backend }: BackendProps) {
  const name = asText(at(backend, 'service', 'name'));
  const port = asText(at(backend, 'service', 'port', 'number')) || asText(at(backend, 'service', 'port', 'name'));
  return (
    <div className={styles.picture}>
      <Box lines={[from]} empty="" />
      <Arrow text="" />
      <span className={cx(styles.box, styles.strong)}>
        <KindLink full apiVersion="v1" kind="Service" namespace={object.metadata.namespace} name={name} />
        port {port}
      </span>
    </div>
  );
}

const icons = { ready: Check, 'not ready': CircleDashed, 'not a member': Ban } as const;
const words = { ready: 'behind it', 'not ready': 'waits', 'not a member': 'not behind it' } as const;

/** Why each pod of the namespace is or isn't behind a service. */
export function ServiceMembers({ object }: { readonly object: ApiObject }) {
  const { namespace = '' } = object.metadata;
  const live = useLiveObjects({ resource: podsRef, namespace });
  if (live.phase === 'loading') return <p className={styles.quiet}>Reading the pods of {namespace}.</p>;
  const members = membersOf(object as NetworkObjects['services'], live.objects as NetworkObjects['pods'][]);
  const inside = members.filter(({ state }) => state !== 'not a member');
  const outside = members.filter(({ state }) => state === 'not a member');
  const ready = inside.filter(({ state }) => state === 'ready').length;
  return (
    <div className={styles.stack}>
      <p>
        {ready === 0
          ? 'No pod takes its connections.'
          : `${ready} ${ready === 1 ? 'pod takes' : 'pods take'} its connections.`}
      </p>
      <Members members={inside} />
      {outside.length > 0 && (
        <details>
          <summary>
            {outside.length} other {outside.length === 1 ? 'pod' : 'pods'} of the namespace, and why not
          </summary>
          <Members members={outside} />
        </details>
      )}
    </div>
  );
}

const Members = ({ members }: { readonly members: readonly Membership[] }) => (
  <ul className={styles.members}>
    {members.map(({ pod, state, why }) => {
      const Icon = icons[state];
      const { namespace = '', name = '' } = pod.metadata ?? {};
      return (
        <li key={name} className={cx(styles.member, state === 'ready' ? styles.ready : styles.quiet)}>
          <Icon className={styles.icon} aria-label={words[state]} />
          <span>
            <KindLink apiVersion="v1" kind="Pod" namespace={namespace} name={name} /> {why}
          </span>
        </li>
      );
    })}
  </ul>
);

/** Endpoints: which addresses answer at which ports. */
export function describeEndpoints(object: ApiObject): readonly Description[] {
  const subsets = asList(object['subsets']);
  const content = (
    <div className={styles.stack}>
      {subsets.length === 0 && <p>The service has no endpoints: connections are refused.</p>}
      {subsets.map((subset, i) => (
        <div key={i} className={styles.picture}>
          <Box lines={asList(at(subset, 'ports')).map(portText)} empty="no port" />
          <Arrow text="" />
          <span className={cx(styles.box, styles.strong)}>
            <Addresses list={asList(at(subset, 'addresses'))} note="" />
            <Addresses list={asList(at(subset, 'notReadyAddresses'))} note=" (not ready)" />
          </span>
        </div>
      ))}
    </div>
  );
  return [{ title: 'Where connections go', content }];
}

const portText = (port: unknown): string => `${asText(at(port, 'protocol'))} ${asText(at(port, 'port'))}`;

const Addresses = ({ list, note }: { readonly list: readonly unknown[]; readonly note: string }) =>
  list.map((address) => {
    const ip = asText(at(address, 'ip'));
    const pod = asText(at(address, 'targetRef', 'name'));
    return (
      <span key={ip}>
        {ip}
        {note}{' '}
        {pod && (
          <KindLink apiVersion="v1" kind="Pod" namespace={asText(at(address, 'targetRef', 'namespace'))} name={pod} />
        )}
      </span>
    );
  });
