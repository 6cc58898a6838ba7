/** A request that carries it is answered as the cluster was at that revision. */
export const AT_HEADER = 'x-vitrine-at';
