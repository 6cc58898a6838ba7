import { Hourglass } from 'lucide-preact';
import { useCallback, useMemo } from 'preact/compat';
import {
  namespaceHolds,
  partiesOf,
  previewInSteps,
  waitsOf,
  type DeletionPreview,
  type KnownObject,
  type NamespaceHold,
  type Propagation,
  type Wait,
  type World,
} from '../../../explain/index.ts';
import type { Names } from '../../../names/index.ts';
import { Empty, Section, Segmented, StateMark, Waiting } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import { useCluster } from '../../stores/session.ts';
import { KindLink } from '../object/ObjectLink.tsx';
import type { State } from '../../theme/states.ts';
import type { Subject } from './subject.ts';
import { useStepped } from './stepped.ts';
import { heldText, objects, stuckText } from './heldText.ts';
import { Suggestions } from './Suggestions.tsx';
import { WaitItem } from './WaitItem.tsx';
import styles from './lifecycle.module.css';

/** Which controllers run in this cluster. */
function useParties(): (party: string) => boolean {
  const { cluster } = useCluster();
  return useMemo(() => partiesOf(cluster.options.controllerManager ?? []), [cluster]);
}

interface DeletingProps {
  readonly world: World;
  readonly subject: Subject | undefined;
}

/** Before: what a deletion takes along. After: what holds what is being deleted. */
export function DeletingTab({ world, subject }: DeletingProps) {
  const object = subject?.object;
  const leaving = object?.metadata.deletionTimestamp !== undefined;
  return (
    <div className={styles.page}>
      {object && !leaving && <Preview key={object.metadata.uid} world={world} object={object} />}
      {object && leaving && <Held world={world} object={object} />}
      {subject && !object && <Gone subject={subject} />}
      <Leaving world={world} except={object} />
    </div>
  );
}

function Gone({ subject: { target } }: { readonly subject: Subject }) {
  return (
    <Section title="Gone">
      <StateMark state="deleted" text={`${target.resource.kind} ${target.name} does not exist.`} />
    </Section>
  );
}

const POLICIES: readonly Propagation[] = ['Background', 'Foreground', 'Orphan'];

const about: Readonly<Record<Propagation, string>> = {
  Background: 'The object goes at once; the collector deletes its dependants afterwards.',
  Foreground: 'The object waits until the collector has deleted the dependants that block it.',
  Orphan: 'The dependants stay and lose their owner.',
};

/** Namespaces that the API server never deletes; the others wait until they are empty, whatever the policy is. */
function aboutDeleting(object: KnownObject, policy: Propagation, names: Names): string {
  if (object.kind !== 'Namespace' || object.apiVersion !== 'v1') return about[policy];
  const kept = ['default', names.systemNamespace, names.publicNamespace];
  if (kept.includes(object.metadata.name ?? ''))
    return 'The API server refuses to delete this namespace. If it were one like any other, this would follow.';
  return 'The namespace waits until its controller has emptied it; how its dependants go is the same for each policy.';
}

function Preview({ world, object }: { readonly world: World; readonly object: KnownObject }) {
  const asked = useAddress(({ query }) => query['policy']);
  const policy = POLICIES.find((each) => each === asked) ?? 'Background';
  const runs = useParties();
  const { names } = useCluster();
  const ask = useCallback(() => previewInSteps([object], policy, world, runs), [object, policy, world, runs]);
  const preview = useStepped(policy, ask);
  return (
    <Section
      title={`If ${object.kind} ${object.metadata.name ?? ''} is deleted`}
      end={
        <Segmented
          label="Dependants"
          value={policy}
          choices={POLICIES.map((value) => ({ value, label: value }))}
          onValue={(next) => go({ query: { policy: next } }, true)}
        />
      }
    >
      <p className={styles.lead}>{aboutDeleting(object, policy, names)}</p>
      {!preview && <Waiting what="Simulating the deletion" />}
      {preview && <p className={styles.sum}>{summary(preview)}</p>}
      {preview && <Steps preview={preview} />}
    </Section>
  );
}

/** A preview in a sentence. */
export function summary({ goes, waits, stays, replaced }: DeletionPreview): string {
  const parts = [`${objects(goes.length)} will be gone`];
  if (waits.length > 0)
    parts.push(`${objects(waits.length)} will wait for a finalizer that no controller here removes`);
  if (stays.length > 0) parts.push(`${objects(stays.length)} will stay and lose an owner`);
  if (replaced.size > 0) parts.push(`${objects(replaced.size)} will be created again`);
  return `${parts.join('; ')}.`;
}

const words: Readonly<Record<DeletionPreview['steps'][number]['what'], readonly [State, string]>> = {
  marked: ['pending', 'begins to be deleted'],
  gone: ['deleted', 'is gone'],
  disowned: ['ready', 'stays'],
  kept: ['ready', 'stays'],
};

/** More steps or objects than this say nothing that the sentence above them doesn't. */
const MOST_SHOWN = 100;

function Steps({ preview: { steps, replaced } }: { readonly preview: DeletionPreview }) {
  return (
    <ol className={styles.steps}>
      {steps.slice(0, MOST_SHOWN).map(({ object, what, why }, index) => {
        const [state, text] = words[what];
        const maker = what === 'gone' ? replaced.get(object.metadata.uid ?? '') : undefined;
        return (
          <li key={index} className={styles.step}>
            <span className={styles.place}>{index + 1}</span>
            <span className={styles.object}>
              <KindLink
                full
                apiVersion={object.apiVersion}
                kind={object.kind}
                namespace={object.metadata.namespace}
                name={object.metadata.name ?? ''}
              />
            </span>
            <StateMark state={state} text={text} />
            <span className={styles.why}>
              {why}
              {maker && `; ${maker.kind} ${maker.metadata.name ?? ''} makes another`}
            </span>
          </li>
        );
      })}
      {steps.length > MOST_SHOWN && <li className={styles.why}>and {steps.length - MOST_SHOWN} more steps</li>}
    </ol>
  );
}

function Held({ world, object }: { readonly world: World; readonly object: KnownObject }) {
  const runs = useParties();
  const waits = waitsOf(object, world, runs);
  const holds = object.kind === 'Namespace' ? namespaceHolds(object, world, runs) : [];
  return (
    <>
      <Section title={`${object.kind} ${object.metadata.name ?? ''} is being deleted`}>
        <p className={styles.sum}>{object.kind === 'Namespace' ? stuckText(holds, waits) : heldText(waits)}</p>
        {hasFinalizer(waits, holds) && (
          <p className={styles.lead}>
            A finalizer keeps an object until its controller has cleaned up and removes the finalizer.
          </p>
        )}
        <ul className={styles.waits}>
          {waits.map((wait) => (
            <WaitItem key={wait.finalizer} object={object} wait={wait} />
          ))}
        </ul>
      </Section>
      {holds.map((hold, i) => (
        <HoldSection key={hold.condition} world={world} hold={hold} later={holds.slice(i + 1)} />
      ))}
    </>
  );
}

interface HoldSectionProps {
  readonly world: World;
  readonly hold: NamespaceHold;
  /** Conditions that are shown below: an object stands with the last that speaks of it. */
  readonly later: readonly NamespaceHold[];
}

function HoldSection({ world, hold: { condition, message, objects: content }, later }: HoldSectionProps) {
  const below = new Set(later.flatMap((hold) => hold.objects.map(({ name }) => name)));
  const own = content.filter(({ name }) => !below.has(name));
  return (
    <Section title={condition}>
      <p className={styles.lead}>{message}</p>
      {own.slice(0, MOST_SHOWN).map((each) => (
        <HeldContent key={each.name} world={world} content={each} />
      ))}
      <More count={own.length - MOST_SHOWN} />
    </Section>
  );
}

/** So many objects that are not shown. */
function More({ count }: { readonly count: number }) {
  return count > 0 ? <p className={styles.why}>and {objects(count)} more</p> : null;
}

/** An object that keeps a namespace, with what it waits for itself. */
function HeldContent({
  world,
  content,
}: {
  readonly world: World;
  readonly content: NamespaceHold['objects'][number];
}) {
  const { object: place, waits } = content;
  const held = world.find(place.apiVersion, place.kind, place.namespace, place.name);
  return (
    <div className={styles.held}>
      <KindLink full {...place} />
      <ul className={styles.waits}>
        {held && waits.map((wait) => <WaitItem key={wait.finalizer} object={held} wait={wait} />)}
      </ul>
    </div>
  );
}

const hasFinalizer = (waits: readonly Wait[], holds: readonly NamespaceHold[]): boolean =>
  [...waits, ...holds.flatMap((hold) => hold.objects.flatMap((each) => each.waits))].some(
    ({ finalizer, state }) => finalizer !== '' && state === 'unknown',
  );

/** What stands above already: the object itself, and what holds a namespace. */
function isShown(object: KnownObject, subject: KnownObject | undefined): boolean {
  if (object === subject) return true;
  const holds = subject?.kind === 'Namespace' && subject.metadata.deletionTimestamp !== undefined;
  return holds && object.metadata.namespace === subject.metadata.name;
}

/** Everything that is being deleted now. */
function Leaving({ world, except }: { readonly world: World; readonly except: KnownObject | undefined }) {
  const runs = useParties();
  const leaving = useMemo(() => world.leaving.filter((each) => !isShown(each, except)), [world, except]);
  if (leaving.length === 0 && !except)
    return (
      <Empty icon={Hourglass} title="Nothing is being deleted" action={<Suggestions world={world} />}>
        Choose an object to see what would be deleted with it. Objects that wait for their deletion appear here, with
        what blocks it.
      </Empty>
    );
  if (leaving.length === 0) return null;
  return (
    <Section title={except ? 'Also being deleted' : 'Being deleted'}>
      {leaving.slice(0, MOST_SHOWN).map((object) => (
        <div key={object.metadata.uid} className={styles.held}>
          <KindLink
            full
            apiVersion={object.apiVersion}
            kind={object.kind}
            namespace={object.metadata.namespace}
            name={object.metadata.name ?? ''}
          />
          <ul className={styles.waits}>
            {waitsOf(object, world, runs).map((wait) => (
              <WaitItem key={wait.finalizer} object={object} wait={wait} />
            ))}
          </ul>
        </div>
      ))}
      <More count={leaving.length - MOST_SHOWN} />
    </Section>
  );
}
