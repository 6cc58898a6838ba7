import { hrefOf, useAddress } from '../../stores/address.ts';
import styles from './ObjectLink.module.css';

/** A user and their groups as the address has them: each escaped, so that any name may hold a comma (half characters aside). */
export function formatWho(name: string, groups: readonly string[]): string {
  return [name, ...groups].map((text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))).join();
}

/** What `formatWho` wrote; undefined where it names nobody. */
export function parseWho(text: string): { readonly name: string; readonly groups: readonly string[] } | undefined {
  try {
    const [name = '', ...groups] = text.split(',').map(decodeURIComponent);
    return name === '' ? undefined : { name, groups };
  } catch {
    return undefined;
  }
}

interface UserLinkProps {
  readonly name: string;
  readonly groups?: readonly string[] | undefined;
}

/** The name of a user as a link to what they may do. */
export function UserLink({ name, groups = [] }: UserLinkProps) {
  const address = useAddress();
  const step = { panel: 'access', path: ['what-can'], query: { who: formatWho(name, groups) } };
  return (
    <a
      className={styles.link}
      href={hrefOf(step, address)}
      title={`What ${name} may do`}
      onClick={(event) => event.stopPropagation()}
    >
      {name}
    </a>
  );
}
