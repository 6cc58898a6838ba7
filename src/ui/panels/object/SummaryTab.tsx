import type { ReactNode } from 'preact/compat';
import { controllerOf, type ApiObject } from '../../../schema/index.ts';
import { Facts, Ident, later, Section, StateMark } from '../../parts/index.ts';
import { hrefOf, useAddress } from '../../stores/address.ts';
import { age, useNow } from '../../stores/clock.ts';
import { asList, asText, at } from '../../stores/jsonValues.ts';
import { formatRef, resourceOfKind, useResources } from '../../stores/resources.ts';
import type { stateOfPhase } from '../../theme/states.ts';
import { describe } from './describe/index.ts';
import { KindLink } from './ObjectLink.tsx';
import { getOwn } from '../../../std/index.ts';
import styles from './SummaryTab.module.css';

const Why = later(() => import('./Why.tsx'), null);

const HAS_PODS = new Set(['Pod', 'Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'ReplicationController']);

/** What matters about an object, as a describe would print it. */
export function SummaryTab({ object }: { readonly object: ApiObject }) {
  return (
    <>
      <Leaving object={object} />
      {HAS_PODS.has(object.kind ?? '') && <Why object={object} />}
      {describe(object).map(({ title, content }) => (
        <Section key={title} title={title}>
          {content}
        </Section>
      ))}
      <Conditions object={object} />
      <Section title="Metadata">
        <Metadata object={object} />
      </Section>
    </>
  );
}

/** What still has to happen to an object that is being deleted when neither time nor a finalizer holds it. */
const lastSteps: Readonly<Partial<Record<string, string>>> = {
  Namespace: 'The namespace controller deletes what is in it first. The conditions below say what is left.',
  Pod: 'It goes once the node agent reports that its containers have ended.',
};

/** Why an object that was deleted is still there. */
function Leaving({ object }: { readonly object: ApiObject }) {
  const now = useNow();
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  if (!deletionTimestamp) return null;
  const due = Date.parse(deletionTimestamp);
  const waits = [
    ...(due > now
      ? [`the grace period of ${deletionGracePeriodSeconds} s, ${Math.ceil((due - now) / 1000)} s of it left`]
      : []),
    ...finalizers.map((finalizer) => `the finalizer ${finalizer}`),
  ];
  return (
    <Section title="Being deleted">
      <p>
        <StateMark
          state="deleted"
          filled
          text={`deleted ${age(new Date(due - deletionGracePeriodSeconds * 1000).toISOString(), now)} ago`}
        />
      </p>
      <p>
        {waits.length === 0
          ? (getOwn(lastSteps, object.kind ?? '') ?? 'Nothing holds it any more: it goes with the next write.')
          : `It waits for ${waits.join(', then ')}.`}
      </p>
      <p>
        <HoldsLink object={object} />
      </p>
    </Section>
  );
}

/** Leads to what holds the object, who ends that, and how a person can. */
function HoldsLink({ object: { apiVersion = '', kind = '', metadata } }: { readonly object: ApiObject }) {
  const address = useAddress();
  const resource = useResources((state) => resourceOfKind(state.resources, apiVersion, kind));
  if (!resource) return null;
  const obj = formatRef({ resource, namespace: metadata.namespace ?? '', name: metadata.name ?? '' });
  return (
    <a className={styles.link} href={hrefOf({ panel: 'lifecycle', path: ['deleting'], query: { obj } }, address)}>
      Why it is still there, and what ends the wait
    </a>
  );
}

function Pairs({ pairs }: { readonly pairs: Readonly<Record<string, string>> | undefined }) {
  const entries = Object.entries(pairs ?? {});
  if (entries.length === 0) return null;
  return (
    <ul className={styles.pairs}>
      {entries.map(([key, value]) => (
        <li key={key} className={styles.pair}>
          <span className={styles.key}>{key}</span>
          <span className={styles.equals}>=</span>
          {value}
        </li>
      ))}
    </ul>
  );
}

const LONGEST_ANNOTATION = 160;

/** Annotations with the long ones cut: their whole text is in the YAML. */
const shortened = (pairs: Readonly<Record<string, string>> | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(pairs ?? {}).map(([key, value]) => [
      key,
      value.length > LONGEST_ANNOTATION ? `${value.slice(0, LONGEST_ANNOTATION)}…` : value,
    ]),
  );

function Metadata({ object }: { readonly object: ApiObject }) {
  const now = useNow();
  const { metadata } = object;
  const owner = controllerOf(object) ?? metadata.ownerReferences?.[0];
  const facts: [string, ReactNode][] = [
    ['API version', <Ident key="v">{object.apiVersion ?? ''}</Ident>],
    ['Namespace', metadata.namespace && <KindLink apiVersion="v1" kind="Namespace" name={metadata.namespace} />],
    ['Created', `${age(metadata.creationTimestamp, now)} ago`],
    [
      owner?.controller ? 'Controlled by' : 'Owned by',
      owner && (
        <KindLink
          full
          apiVersion={owner.apiVersion}
          kind={owner.kind}
          namespace={metadata.namespace}
          name={owner.name}
        />
      ),
    ],
    ['Labels', metadata.labels && <Pairs pairs={metadata.labels} />],
    ['Annotations', metadata.annotations && <Pairs pairs={shortened(metadata.annotations)} />],
    ['Finalizers', metadata.finalizers?.join(', ')],
    ['Generation', metadata.generation],
    ['Revision', <Ident key="r">{metadata.resourceVersion ?? ''}</Ident>],
    ['UID', <Ident key="u">{metadata.uid ?? ''}</Ident>],
  ];
  return <Facts facts={facts} />;
}

/** Conditions whose being true is bad news. */
const BAD_WHEN_TRUE = /Pressure$|Unavailable$|Failure$|Failed$|Stalled$|^Terminating$|Denied$|^Dangling|Remaining$/;

function stateOfCondition(type: string, status: string): ReturnType<typeof stateOfPhase> {
  if (status === 'Unknown') return 'pending';
  const good = BAD_WHEN_TRUE.test(type) ? status === 'False' : status === 'True';
  return good ? 'ready' : 'failed';
}

const since = (time: unknown, now: number): string => (typeof time === 'string' ? age(time, now) : '');

function Conditions({ object }: { readonly object: ApiObject }) {
  const now = useNow();
  const conditions = asList(at(object, 'status', 'conditions'));
  if (conditions.length === 0) return null;
  return (
    <Section title="Conditions">
      <ul className={styles.conditions}>
        {conditions.map((condition) => {
          const type = asText(at(condition, 'type'));
          const status = asText(at(condition, 'status'));
          return (
            <li key={type} className={styles.condition}>
              <StateMark state={stateOfCondition(type, status) ?? 'pending'} text={type} />
              <span className={styles.status}>{status}</span>
              <span className={styles.why}>
                {[asText(at(condition, 'reason')), asText(at(condition, 'message'))].filter(Boolean).join(': ')}
              </span>
              <span className={styles.when}>{since(at(condition, 'lastTransitionTime'), now)}</span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
