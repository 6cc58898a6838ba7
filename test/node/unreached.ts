import type { NodesOptions } from '../../src/node/index.ts';

/** For nodes whose containers reach no API server, and trust every certificate. */
export const unreached: Pick<NodesOptions, 'judge' | 'apiServer'> = {
  judge: () => Promise.resolve(undefined),
  apiServer: {
    ...{ address: '192.0.2.1', port: 6443, certificate: () => Promise.resolve('') },
    fetch: () => Promise.reject(new Error('no container asks the API server')),
  },
};
