import type { MouseEvent, ReactNode } from 'preact/compat';
import { hrefOf, useAddress } from '../../stores/address.ts';
import { EndName } from '../../parts/EndName.tsx';
import { formatRef, resourceOfKind, useResources, type ObjectRef } from '../../stores/resources.ts';
import styles from './ObjectLink.module.css';

/** The name of an object as a link to it, wherever it stands; `short` where there may be too little room. */
export function ObjectLink({ short, ...ref }: ObjectRef & { readonly short?: boolean | undefined }) {
  const address = useAddress();
  const stay = (event: MouseEvent<HTMLElement>): void => event.stopPropagation();
  return (
    <a
      className={styles.link}
      href={hrefOf({ query: { sel: `object:${formatRef(ref)}` } }, address)}
      aria-label={ref.name}
      onClick={stay}
    >
      {short ? <EndName name={ref.name} /> : ref.name}
    </a>
  );
}

interface KindLinkProps {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  /** `Kind name` instead of the name alone. */
  readonly full?: boolean;
  /** There may be too little room: the name loses its middle then. */
  readonly short?: boolean;
}

/** As `ObjectLink`, for a reference that names a kind; plain text where the server does not serve that kind. */
export function KindLink({ apiVersion, kind, namespace = '', name, full, short }: KindLinkProps) {
  const resources = useResources((state) => state.resources);
  const resource = resourceOfKind(resources, apiVersion, kind);
  const lead = full ? <span className={styles.kind}>{kind} </span> : null;
  if (!resource)
    return (
      <span>
        {lead}
        {name}
      </span>
    );
  return (
    <span>
      {lead}
      <ObjectLink resource={resource} namespace={resource.namespaced ? namespace : ''} name={name} short={short} />
    </span>
  );
}

interface FieldLinkProps extends Omit<KindLinkProps, 'full' | 'short'> {
  /** A path such as `rules[2].verbs`. */
  readonly field: string;
  readonly children: ReactNode;
}

/** A field of an object as a link to its line in the editor; plain where the server does not serve that kind. */
export function FieldLink({ apiVersion, kind, namespace = '', name, field, children }: FieldLinkProps) {
  const address = useAddress();
  const resources = useResources((state) => state.resources);
  const resource = resourceOfKind(resources, apiVersion, kind);
  if (!resource || name === '') return children;
  const ref = formatRef({ resource, namespace: resource.namespaced ? namespace : '', name });
  return (
    <a
      className={styles.field}
      href={hrefOf({ query: { sel: `editor:${ref}`, tab: undefined, field } }, address)}
      title={`Go to ${field} of ${name} in the editor`}
      onClick={(event) => event.stopPropagation()}
    >
      {children}
    </a>
  );
}
