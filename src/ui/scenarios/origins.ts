/** What clusters began as, so that they can begin again; kept in the browser. */
import { getOwn, setOwn } from '../../std/index.ts';
import { create } from '../store.ts';
import { persist } from 'zustand/middleware';
import type { Recipe } from '../share/recipe.ts';

export interface Origin {
  /** The scenario that it was opened as. */
  readonly scenario?: string;
  /** Whether its list of things to try is shown. */
  readonly guided?: boolean;
  /** What it was made with, where it came by a link or a file. */
  readonly recipe?: Recipe;
}

interface Origins {
  readonly origins: Readonly<Record<string, Origin>>;
}

export const useOrigins = create<Origins>()(persist((): Origins => ({ origins: {} }), { name: 'vitrine.origins' }));

/** Whether a scenario's objects are being applied just now. */
export const useFilling = create<{ readonly filling: boolean }>()(() => ({ filling: false }));

export const originOf = (cluster: string): Origin | undefined => getOwn(useOrigins.getState().origins, cluster);

/** Remembers what a cluster began as; forgets it where nothing is given. */
export function setOrigin(cluster: string, origin: Origin | undefined): void {
  useOrigins.setState(({ origins }) => {
    const { [cluster]: _, ...others } = origins;
    if (origin) setOwn(others, cluster, origin);
    return { origins: others };
  });
}

export function hideGuide(cluster: string): void {
  setOrigin(cluster, { ...originOf(cluster), guided: false });
}
