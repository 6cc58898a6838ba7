/** Requests of those who hold a certificate: each proves that its sender has the key. */
import { certificateTransport, type Transport } from '../../client/index.ts';
import { freshSeed, seededRandom } from '../../std/index.ts';
import { heldKey } from './keyring.ts';
import { theCluster } from './session.ts';

const random = seededRandom(freshSeed());

/** Proofs are dated by the cluster's time, which a person may have moved a moment ago: so it is asked for. */
const clusterTime = async (): Promise<number> => (await theCluster().cluster.clock.state()).now;

/** A transport whose requests are proved with the key of this id in the keyring; throws where none is held or signed. */
export function prove(transport: Transport, id: string): Transport {
  const { certificate, key } = heldKey(id);
  if (certificate === undefined) throw new Error('The certificate is not signed yet.');
  return certificateTransport(transport, { certificate, key }, { now: clusterTime, random });
}
