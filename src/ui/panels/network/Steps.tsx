import { SquarePen } from 'lucide-preact';
import type { Evidence, HopText } from '../../../explain/index.ts';
import { Button } from '../../parts/index.ts';
import { go } from '../../stores/address.ts';
import { actAs, administrator, useIdentity } from '../../stores/identity.ts';
import { formatRef, resourceOfKind, useResources } from '../../stores/resources.ts';
import { FieldLink, KindLink } from '../object/ObjectLink.tsx';
import { Note } from './Note.tsx';
import styles from './SidePane.module.css';

interface StepsProps {
  readonly steps: readonly HopText[];
  /** Without links: the objects may not exist yet. */
  readonly plain?: boolean;
}

/** Each step in words, with the object that decided; where it stops at a policy, the way to the line. */
export function Steps({ steps, plain = false }: StepsProps) {
  return (
    <ol className={styles.hops}>
      {steps.map((step, i) => (
        <li key={i}>
          <Note look={step.stopped ? 'stopped' : step.passedOver ? 'note' : 'passed'}>
            {step.text} {!plain && <Where {...step} />}
            <Details details={plain ? [] : step.details} />
            {!plain && step.stopped && step.at?.kind === 'NetworkPolicy' && <EditLine at={nearest(step)} />}
          </Note>
        </li>
      ))}
    </ol>
  );
}

type Place = NonNullable<Evidence['at']>;

/** The line of the rule that came closest, else the line that isolates. */
const nearest = ({ at, details }: HopText): Place | undefined => details.find((each) => each.at)?.at ?? at;

/** Opens the line that decides in the editor, as somebody who may change it. */
function EditLine({ at }: { readonly at: Place | undefined }) {
  const isAdministrator = useIdentity(({ current }) => current.kind === 'administrator');
  const resources = useResources((state) => state.resources);
  const resource = at && resourceOfKind(resources, at.apiVersion, at.kind);
  if (!at || !resource) return null;
  const edit = (): void => {
    actAs(administrator);
    const ref = formatRef({ resource, namespace: at.namespace, name: at.name });
    go({ query: { sel: `editor:${ref}`, tab: undefined, field: at.field } });
  };
  return (
    <div className={styles.edit}>
      <Button icon={SquarePen} onClick={edit}>
        {isAdministrator ? 'Edit this line' : 'Edit as administrator'}
      </Button>
    </div>
  );
}

function Details({ details }: { readonly details: readonly Evidence[] }) {
  if (details.length === 0) return null;
  return (
    <ul className={styles.details}>
      {details.map((detail) => (
        <li key={detail.text}>
          {detail.text} <Where {...detail} />
        </li>
      ))}
    </ul>
  );
}

/** The object that a statement speaks of, as a link; with a field, to its line in the editor. */
function Where({ at }: Pick<Evidence, 'at'>) {
  if (!at) return null;
  if (at.field === undefined) return <KindLink {...at} full />;
  return (
    <FieldLink {...at} field={at.field}>
      {at.field}
    </FieldLink>
  );
}
