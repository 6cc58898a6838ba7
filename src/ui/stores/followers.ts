/** Stores that a panel fills: from their first use on they forget everything when the cluster closes. */

export interface Follower {
  forget(): void;
}

const followers = new Set<Follower>();

/** From now on `follower` hears when the open cluster closes. Joining twice is joining once. */
export const join = (follower: Follower): void => void followers.add(follower);

/** The cluster closes: all forget, and are followers no longer. */
export function dismissFollowers(): void {
  for (const follower of followers) follower.forget();
  followers.clear();
}
