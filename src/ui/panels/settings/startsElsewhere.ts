import type { RunningCluster } from '../../host.ts';

/** Why a cluster can't be started anew with other flags from here; undefined where it can. */
export const startsElsewhere = ({ served }: RunningCluster): string | undefined =>
  served && 'Its server starts the components: give it these flags there.';
