import type { MouseEvent } from 'react';
import { hrefOf, useAddress } from '../../stores/address.ts';
import { formatRef, resourceOfKind, useResources, type ObjectRef } from '../../stores/resources.ts';
import styles from './ObjectLink.module.css';

/** The name of an object as a link to it, wherever it stands. */
export function ObjectLink(ref: ObjectRef) {
  const address = useAddress();
  const stay = (event: MouseEvent): void => event.stopPropagation();
  return (
    <a className={styles.link} href={hrefOf({ query: { sel: `object:${formatRef(ref)}` } }, address)} onClick={stay}>
      {ref.name}
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
}

/** As `ObjectLink`, for a reference that names a kind; plain text where the server does not serve that kind. */
export function KindLink({ apiVersion, kind, namespace = '', name, full }: KindLinkProps) {
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
      <ObjectLink resource={resource} namespace={resource.namespaced ? namespace : ''} name={name} />
    </span>
  );
}
