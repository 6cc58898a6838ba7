import type { ApiObject } from '../../../../schema/index.ts';
import { Facts, Ident } from '../../../parts/index.ts';
import { asList, asNumber, asRecord, asText, at } from '../../../stores/jsonValues.ts';
import { hrefOf, useAddress } from '../../../stores/address.ts';
import type { Description } from './description.ts';
import styles from './describe.module.css';

/** A label selector as the command line writes it. */
export function selectorText(selector: unknown): string {
  const labels = asRecord(at(selector, 'matchLabels'));
  const plain = Object.keys(labels).length > 0 || at(selector, 'matchExpressions') ? labels : asRecord(selector);
  const equal = Object.entries(plain)
    .filter(([, value]) => typeof value === 'string')
    .map(([key, value]) => `${key}=${asText(value)}`);
  const expressions = asList(at(selector, 'matchExpressions')).map((each) => {
    const values = asList(at(each, 'values')).map(asText).join(', ');
    return `${asText(at(each, 'key'))} ${asText(at(each, 'operator'))}${values && ` (${values})`}`;
  });
  return [...equal, ...expressions].join(', ');
}

interface Count {
  readonly name: string;
  readonly value: number;
}

/** Replicas as a row of small squares: ready ones filled. Beyond a few dozen the numbers alone say it better. */
function Replicas({ wanted, counts }: { readonly wanted: number; readonly counts: readonly Count[] }) {
  const ready = counts.find((count) => count.name === 'ready')?.value ?? 0;
  return (
    <div className={styles.replicas}>
      <p>
        <strong>{ready}</strong> of <strong>{wanted}</strong> ready
        <span className={styles.note}>
          {' '}
          {counts
            .slice(1)
            .map(({ name, value }) => `${value} ${name}`)
            .join(' · ')}
        </span>
      </p>
      {wanted <= 48 && (
        <p className={styles.squares} aria-hidden>
          {Array.from({ length: Math.max(wanted, ready) }, (_, index) => (
            <span key={index} className={index < ready ? styles.full : styles.hollow} />
          ))}
        </p>
      )}
    </div>
  );
}

/** Leads to where the scheduler would put more of a Deployment's pods. */
function FitLink({ object: { metadata } }: { readonly object: ApiObject }) {
  const address = useAddress();
  const path = ['deployment', metadata.namespace ?? '', metadata.name ?? ''];
  return <a href={hrefOf({ panel: 'scheduling', path }, address)}>How many more fit?</a>;
}

/** Anything that keeps a number of pods. */
export function describeWorkload(object: ApiObject): readonly Description[] {
  const status = (field: string): number => asNumber(at(object, 'status', field)) ?? 0;
  const daemon = object.kind === 'DaemonSet';
  const wanted = daemon ? status('desiredNumberScheduled') : (asNumber(at(object, 'spec', 'replicas')) ?? 1);
  const counts: readonly Count[] = [
    { name: 'ready', value: daemon ? status('numberReady') : status('readyReplicas') },
    { name: 'updated', value: daemon ? status('updatedNumberScheduled') : status('updatedReplicas') },
    { name: 'available', value: daemon ? status('numberAvailable') : status('availableReplicas') },
  ];
  const images = asList(at(object, 'spec', 'template', 'spec', 'containers')).map((container) =>
    asText(at(container, 'image')),
  );
  const rolling =
    at(object, 'spec', 'strategy', 'rollingUpdate') ?? at(object, 'spec', 'updateStrategy', 'rollingUpdate');
  const facts = (
    <Facts
      facts={[
        ['Selector', <Ident key="s">{selectorText(at(object, 'spec', 'selector'))}</Ident>],
        ['Images', <Ident key="i">{images.join(', ')}</Ident>],
        [
          'Strategy',
          asText(at(object, 'spec', 'strategy', 'type')) || asText(at(object, 'spec', 'updateStrategy', 'type')),
        ],
        ['Room', object.kind === 'Deployment' && <FitLink key="f" object={object} />],
        ['Max surge', asText(at(rolling, 'maxSurge'))],
        ['Max unavailable', asText(at(rolling, 'maxUnavailable'))],
        [
          'Observed',
          at(object, 'status', 'observedGeneration') === undefined
            ? ''
            : `generation ${asText(at(object, 'status', 'observedGeneration'))}`,
        ],
      ]}
    />
  );
  return [
    { title: 'Replicas', content: <Replicas wanted={wanted} counts={counts} /> },
    { title: object.kind ?? 'Workload', content: facts },
  ];
}
