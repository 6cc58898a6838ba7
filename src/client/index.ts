export type { Precedence, Transport } from './types.ts';
export { Backoff } from './backoff.ts';
export * from './client.ts';
export {
  certificateTransport,
  proveRequest,
  provingConnect,
  type ClientCertificate,
  type ProofSettings,
} from './credentials/certificateProof.ts';
export { readExecCredential } from './credentials/execCredential.ts';
export type { CertificatePair, ExecCredential } from './credentials/execCredential.ts';
export { execTransport, type ExecCluster, type ExecOptions } from './credentials/execTransport.ts';
export type { Connected } from './connect.ts';
export * from './containers.ts';
export * from './discovery.ts';
export * from './eventRecorder.ts';
export * from './seriesRecorder.ts';
export * from './informer.ts';
export * from './informers.ts';
export * from './kinds.ts';
export { isStatus, request, requestJson, type Query, type RequestOptions } from './request.ts';
export * from './resources.ts';
export { labelPairs, selecting, type Labelled } from './selecting.ts';
export { Store, type IndexFunction } from './store.ts';
export { fetchPatiently, retry, type Retrying } from './patience.ts';
export { readWatch, type WatchEvent } from './watch.ts';
export * from './workQueue.ts';
